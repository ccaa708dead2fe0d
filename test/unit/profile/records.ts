/** Small good records, one per built-in profile. */
export const DOCMATH = {
  question_id: 'demo-0001',
  question: 'By how much did the hall grow, in rows?',
  paragraphs: ['The hall has 40 rows.', '| Year | Rows |\n| 2031 | 40 |\n| 2032 | 52 |'],
  table_evidence: [1],
  paragraph_evidence: [0],
  python_solution: 'def solution():\n    return 52 - 40',
  ground_truth: 12.5,
};

export const SCIEGQA = {
  query: 'Which row has the largest total?',
  answer: 'North',
  doc_name: 'demo-doc',
  evidence_page: [2],
  bbox: [[[300, 600, 2100, 1500]]],
  rel_bbox: [[[117.647059, 181.818182, 823.529412, 454.545455]]],
  subimg_type: [['table']],
  category: 'cs',
};

export const MMLONGBENCH = {
  doc_id: 'demo-doc.pdf',
  doc_type: 'Report',
  question: 'How many parcels did North handle?',
  answer: '2550',
  evidence_pages: '[2, 3]',
  evidence_sources: "['Table']",
  answer_format: 'Int',
};
