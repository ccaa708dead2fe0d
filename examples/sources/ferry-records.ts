/** Records of examples/reports/ferries.jsonl, in the shape of DocMath-Eval, over the report harbour-ferries.pdf. */
const PARAGRAPHS = [
  'Harbour Ferries carried 4.2 million passengers in 2031, 5 % more than the year before. All three lines grew; the Northern line grew fastest after its second boat entered service in May. Amounts in this report are in thousands of crowns unless stated otherwise.',
  'Fares were raised once, by 3 % in January. A single crossing on the Island line costs 24 crowns since then.',
  'Table 1. Revenue by line (in thousands of crowns)\n| Line | 2029 | 2030 | 2031 |\n| Island | 18,400 | 19,200 | 20,160 |\n| Northern | 7,350 | 8,100 | 9,720 |\n| Old Town | 5,250 | 5,300 | 5,420 |\n| Total | 31,000 | 32,600 | 35,300 |',
  'Table 2. Costs (in thousands of crowns)\n| Item | 2030 | 2031 |\n| Fuel | 9,400 | 8,930 |\n| Crew | 12,250 | 13,100 |\n| Upkeep of boats | 4,300 | 4,750 |\n| Other | 1,150 | 1,240 |\n| Total | 27,100 | 28,020 |',
  'Fuel cost 470 thousand crowns less than in 2030 although the boats sailed more hours, because two of the seven boats now charge at the quay.',
  'The crew grew from 118 to 126 people. Pay rose by 4 % in July.',
  'Table 3. Boats at the end of 2031\n| Boat | Built | Seats | Power |\n| Gull | 2008 | 220 | diesel |\n| Tern | 2011 | 180 | diesel |\n| Plover | 2027 | 160 | electric |\n| Heron | 2031 | 160 | electric |',
  'A third electric boat, the Curlew, has been ordered for 38 million crowns and will enter service in 2033. The harbour pays a quarter of the price.',
];

interface FerryRecord {
  readonly question_id: string;
  readonly source: string;
  readonly question: string;
  readonly paragraphs: readonly string[];
  readonly table_evidence: readonly number[];
  readonly paragraph_evidence: readonly number[];
  readonly python_solution: string;
  readonly ground_truth: unknown;
}

let count = 0;
function record(
  question: string,
  tables: number[],
  texts: number[],
  steps: readonly string[],
  gold: unknown,
): FerryRecord {
  return {
    question_id: `ferries-demo-${count++}`,
    source: 'demo',
    question,
    paragraphs: PARAGRAPHS,
    table_evidence: tables,
    paragraph_evidence: texts,
    python_solution: ['def solution():', ...steps.map((step) => `    ${step}`), ''].join('\n'),
    ground_truth: gold,
  };
}

export const FERRY_RECORDS: readonly FerryRecord[] = [
  record('What was the total revenue growth from 2030 to 2031? (in thousand)', [2], [], ['revenue_2031 = 35300', 'revenue_2030 = 32600', '', 'return revenue_2031 - revenue_2030'], 2700),
  record('By what percentage did the revenue of the Northern line grow from 2030 to 2031?', [2], [], ['northern_2031 = 9720', 'northern_2030 = 8100', '', 'return (northern_2031 - northern_2030) / northern_2030 * 100'], 20),
  record('What share of the revenue of 2031 came from the Island line? (in percent)', [2], [], ['island = 20160', 'total = 35300', '', 'return island / total * 100'], (20160 / 35300) * 100),
  record('What was the profit of 2031, as revenue less costs? (in thousand)', [2, 3], [], ['revenue = 35300', 'costs = 28020', '', 'return revenue - costs'], 7280),
  record('What was the average revenue of the Old Town line over the three years? (in thousand)', [2], [], ['old_town = [5250, 5300, 5420]', '', 'return sum(old_town) / len(old_town)'], (5250 + 5300 + 5420) / 3),
  record('What did the crew cost per person in 2031? (in thousand)', [3], [5], ['crew_cost = 13100', 'people = 126', '', 'return crew_cost / people'], 13100 / 126),
  record('How many crowns does the harbour pay for the Curlew? (in million)', [], [7], ['price = 38', 'share = 1 / 4', '', 'return price * share'], 9.5),
  record('How many seats did the electric boats have at the end of 2031?', [6], [], ['plover = 160', 'heron = 160', '', 'return plover + heron'], 320),
  record('How many passengers were carried in 2030? (in million)', [], [0], ['passengers_2031 = 4.2', 'growth = 5', '', 'return passengers_2031 / (1 + growth / 100)'], 4),
  record('What did a single crossing on the Island line cost before January? (in crowns)', [], [1], ['# Fares were raised by 3 %', 'fare = 24', '', 'return round(fare / 1.03, 2)'], 23.3),
  record('What was the mean age of the four boats at the end of 2031? (in years)', [6], [], ['built = [2008, 2011, 2027, 2031]', '', 'return sum(2031 - year for year in built) / len(built)'], 11.75),
  record('By what percentage did fuel costs fall from 2030 to 2031?', [3], [4], ['fuel_2030 = 9400', 'fuel_2031 = 8930', '', 'return (fuel_2030 - fuel_2031) / fuel_2030 * 100'], 5),
  record('What was the compound annual growth rate of revenue from 2029 to 2031? (in percent)', [2], [], ['import math', 'first = 31000', 'last = 35300', '', 'return (math.sqrt(last / first) - 1) * 100'], 6.71),
  // From here on, records with a fault each, to see what is reported and where.
  record('What was the total revenue of 2031 in crowns?', [2], [0], ['revenue_in_thousands = 35300', '', 'return revenue_in_thousands'], 35300000),
  record('What was the change in upkeep costs from 2030 to 2031? (in thousand)', [3], [], ['upkeep_2031 = 4750', 'upkeep_2030 = 4300', '', 'return upkeep_2030 - upkeep_2031'], 450),
  record('What was the change in fuel costs from 2030 to 2031? (in thousand)', [3], [4], ['fuel_2030 = 9400', 'fuel_2031 = 8930', '', 'return fuel_2031 - fuel_2030'], '(470)'),
  record('How many people joined the crew?', [], [5, 12], ['before = 118', 'after = 126', '', 'return after - before'], 8),
  record('What was the revenue per passenger in 2031? (in crowns)', [2], [0], ['revenue = 35300 * 1000', 'passengers = 4.2 * 1000000', '', 'return revenu / passengers'], 35300000 / 4200000),
  record('What were the costs other than fuel and crew in 2031? (in thousand)', [0], [3], ['upkeep = 4750', 'other = 1240', '', 'return upkeep + other'], 5990),
  record('In how many years does revenue double at the growth of 2031? (in years)', [2], [], ['revenue = 35300', 'years = 0', 'while revenue != 70600:', '    revenue = revenue * 35300 / 32600', '    years += 1', 'return years'], 9),
  record('How many seats does the Island line lose if the Gull fails?', [6], [], ['gull = 220', '', 'print(gull)'], 220),
];
