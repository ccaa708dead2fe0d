/** Names that the manifest declares and the code uses; a test holds the two together. */
export const COMMANDS = {
  runSolution: 'auditableQa.runSolution',
  runAllSolutions: 'auditableQa.runAllSolutions',
  previewEvidence: 'auditableQa.previewEvidence',
  explainRule: 'auditableQa.explainRule',
  createConfiguration: 'auditableQa.createConfiguration',
  nextRecord: 'auditableQa.nextRecord',
  previousRecord: 'auditableQa.previousRecord',
  showInFile: 'auditableQa.showInFile',
  editRecord: 'auditableQa.editRecord',
  editSolution: 'auditableQa.editSolution',
  showOutput: 'auditableQa.showOutput',
  restartServer: 'auditableQa.restartServer',
} as const;

/** Context key: the active editor shows a file that a profile fits. */
export const ACTIVE_CONTEXT = 'auditableQa.active';

/** Languages whose documents are sent to the server. */
export const LANGUAGES = ['json', 'jsonl'] as const;

export const RULE_SCHEME = 'auditable-qa-rule';
