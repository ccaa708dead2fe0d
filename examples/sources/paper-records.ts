/** Records of examples/papers/papers.jsonl: regions by name; the boxes come from the pages. */
export interface PaperRecord {
  readonly query: string;
  readonly answer: string;
  readonly document: string;
  readonly category: string;
  /** [page][region] */
  readonly regions: readonly (readonly string[])[];
  /** An instructive fault: members that replace the right ones. */
  readonly fault?: (record: Made) => Partial<Record<keyof Made | 'rel_bbox', unknown>>;
}
interface Made {
  readonly evidence_page: number[];
  readonly bbox: [number, number, number, number][][];
  readonly subimg_type: string[][];
}

const sensors = (query: string, answer: string, regions: string[][], fault?: PaperRecord['fault']): PaperRecord => ({
  ...{ query, answer, document: 'tidal-sensors', category: 'physics', regions },
  ...(fault && { fault }),
});
const moss = (query: string, answer: string, regions: string[][], fault?: PaperRecord['fault']): PaperRecord => ({
  ...{ query, answer, document: 'moss-roofs', category: 'q-bio', regions },
  ...(fault && { fault }),
});

export const PAPER_RECORDS: readonly PaperRecord[] = [
  sensors('In Table 1, which sensor has the smallest drift per week?', 'C', [['sensors']]),
  sensors('In Figure 1, which part is wired to the sensor on the bed?', 'The logger L', [['setup']]),
  sensors('According to Table 1 and the missed-readings paragraph, what does the sensor that tolerates six missed weeks cost?', '75 euros', [['sensors', 'missed']]),
  sensors('How do the introduction and Figure 1 describe the part that is read by eye?', 'A painted staff, S', [['question', 'setup']]),
  sensors('Which sensor in Figure 2 drifts fastest, and what is its price in Table 1?', 'A; 18 euros', [['drift'], ['sensors']]),
  sensors('In Table 2, at how many missed weeks does the sensor of the conclusion, at 18 euros, exceed 20 mm?', '6', [['missedtable', 'conclusion']]),
  sensors('By whom was the staff read, and how closely do they repeat a reading?', 'Volunteers; within 5 mm', [['method', 'results']]),
  sensors('Which error does the abstract give for the corrected cheapest sensor, and which does Table 1?', 'Below 6 mm; 5.8 mm', [['abstract'], ['sensors']]),
  sensors('Why do pressure sensors drift, according to the introduction?', 'Temperature and age', [['intro']]),
  sensors('What is the raw error of sensor B?', '11.2 mm', [['sensors']], ({ bbox: [[[x1, y1, x2, y2] = [0, 0, 0, 0]] = []] }) => ({
    bbox: [[[x2, y2, x1, y1]]],
  })),
  sensors('In Figure 2, what does the horizontal axis show?', 'Weeks', [['drift']], ({ bbox: [[[x1, y1, x2, y2] = [0, 0, 0, 0]] = []] }) => ({
    bbox: [[[x1, y1, x2 - x1, y2 - y1]]],
  })),
  sensors('In Table 2, which error has sensor C after four missed weeks?', '5.3 mm', [['missedtable']], () => ({ evidence_page: [23] })),
  moss('In Table 1, which roof holds the most water?', 'Cushion moss', [['held']]),
  moss('How much more water does fork moss hold than feather moss?', '2.7 litres', [['held']]),
  moss('In Figure 1 and the paragraph below it, which curve has the later peak, and by how much?', 'Cushion moss; 24 minutes', [['runoff', 'peak']]),
  moss('Which moss was dry after four days, and how thick is it in Table 1?', 'Feather moss; 25 mm', [['drying'], ['held']]),
  moss('What does a wet cushion weigh, and what do old sheds often bear?', '31 kg per square metre; less than 25', [['weight']]),
  moss('How much rain was poured on the roofs, and how much of it does bare felt hold?', '20 litres; 0.8 litres', [['summary', 'held']]),
  moss('In Table 1, by how many minutes does the fork moss delay the runoff?', '16', [['held']], () => ({ subimg_type: [['tabel']] })),
  moss('In Figure 1, which curve rises first?', 'Bare felt', [['runoff']], ({ bbox: [[[x1, y1, x2, y2] = [0, 0, 0, 0]] = []] }) => ({
    rel_bbox: [[[x1 / 2550, y1 / 3300, x2 / 2550, y2 / 3300].map((value) => Math.round(value * 1e6) / 1e6)]],
  })),
  moss('For how long did the trial see no ageing?', 'Two years', [['drying']]),
];
