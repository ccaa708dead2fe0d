import { VIEW_SCHEME } from '../../schemas/views.ts';

/** Names that the manifest declares and the code uses; a test holds the two together. */
export const COMMANDS = {
  runSolution: 'auditableQa.runSolution',
  runAllSolutions: 'auditableQa.runAllSolutions',
  previewEvidence: 'auditableQa.previewEvidence',
  evidenceOnly: 'auditableQa.evidenceOnly',
  saveCrop: 'auditableQa.saveCrop',
  findEvidence: 'auditableQa.findEvidence',
  explainRule: 'auditableQa.explainRule',
  createConfiguration: 'auditableQa.createConfiguration',
  nextRecord: 'auditableQa.nextRecord',
  previousRecord: 'auditableQa.previousRecord',
  showInFile: 'auditableQa.showInFile',
  editRecord: 'auditableQa.editRecord',
  editSolution: 'auditableQa.editSolution',
  openSolutionFile: 'auditableQa.openSolutionFile',
  stepSolution: 'auditableQa.stepSolution',
  nextStep: 'auditableQa.nextStep',
  previousStep: 'auditableQa.previousStep',
  lastStep: 'auditableQa.lastStep',
  stopStepping: 'auditableQa.stopStepping',
  nextProblem: 'auditableQa.nextProblem',
  previousProblem: 'auditableQa.previousProblem',
  showInRecords: 'auditableQa.showInRecords',
  filterRecords: 'auditableQa.filterRecords',
  openChosen: 'auditableQa.openChosen',
  previewChosen: 'auditableQa.previewChosen',
  editChosen: 'auditableQa.editChosen',
  editChosenSolution: 'auditableQa.editChosenSolution',
  fixChosen: 'auditableQa.fixChosen',
  acceptChosen: 'auditableQa.acceptChosen',
  runChosen: 'auditableQa.runChosen',
  copyChosenId: 'auditableQa.copyChosenId',
  undoOnDisk: 'auditableQa.undoOnDisk',
  redoOnDisk: 'auditableQa.redoOnDisk',
  addRecord: 'auditableQa.addRecord',
  duplicateRecords: 'auditableQa.duplicateRecords',
  deleteRecords: 'auditableQa.deleteRecords',
  moveRecordsUp: 'auditableQa.moveRecordsUp',
  moveRecordsDown: 'auditableQa.moveRecordsDown',
  moveRecordsTo: 'auditableQa.moveRecordsTo',
  renumberRecords: 'auditableQa.renumberRecords',
  fixEverywhere: 'auditableQa.fixEverywhere',
  convertFile: 'auditableQa.convertFile',
  splitFile: 'auditableQa.splitFile',
  mergeFiles: 'auditableQa.mergeFiles',
  setRegionServiceToken: 'auditableQa.setRegionServiceToken',
  showOutput: 'auditableQa.showOutput',
  restartServer: 'auditableQa.restartServer',
} as const;

/** Context key: the active editor shows a file that a profile fits. */
export const ACTIVE_CONTEXT = 'auditableQa.active';

/** Context key: the run of a solution is being stepped through. */
export const STEPPING_CONTEXT = 'auditableQa.stepping';

/** Context keys: a change that the server made on disk can be taken back, or made again. */
export const UNDO_ON_DISK_CONTEXT = 'auditableQa.canUndoOnDisk';
export const REDO_ON_DISK_CONTEXT = 'auditableQa.canRedoOnDisk';

/** Languages of record files. */
export const LANGUAGES = ['json', 'jsonl'] as const;

/** Documents that are sent to the server: record files, and the documents that show one record. */
export const SELECTOR = [...LANGUAGES.map((language) => ({ language, scheme: 'file' })), { scheme: VIEW_SCHEME }];

export const RULE_SCHEME = 'auditable-qa-rule';
