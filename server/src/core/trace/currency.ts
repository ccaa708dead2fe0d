/** Currencies that texts name. Signs that several currencies share say which family it is. */

export interface NamedCurrency {
  /** ISO code, or the sign where it stands for several. */
  readonly code: string;
  /** As the text has it. */
  readonly text: string;
}

const CURRENCIES: readonly (readonly [code: string, pattern: RegExp])[] = [
  ['EUR', /€|\bEUR\b|\beuros?\b/i],
  ['GBP', /£|\bGBP\b|\b(?:british )?pounds? sterling\b/i],
  ['JPY', /\bJPY\b|\bjapanese yen\b|\byen\b/i],
  ['CNY', /\b(?:CNY|RMB)\b|\brenminbi\b|\bchinese yuan\b/i],
  ['INR', /₹|\bINR\b|\bindian rupees?\b/i],
  ['CHF', /\bCHF\b|\bswiss francs?\b/i],
  ['KRW', /₩|\bKRW\b|\bkorean won\b/i],
  ['CAD', /\bCAD\b|\bC\$|\bcanadian dollars?\b/i],
  ['AUD', /\bAUD\b|\bA\$|\baustralian dollars?\b/i],
  ['HKD', /\bHKD\b|\bHK\$|\bhong kong dollars?\b/i],
  ['SGD', /\bSGD\b|\bS\$|\bsingapore dollars?\b/i],
  ['USD', /\bUSD\b|\bUS ?\$|\bU\.S\. dollars?\b|\bus dollars?\b/i],
  ['$', /(?<![A-Za-z])\$|\bdollars?\b/i],
];
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'CAD', 'AUD', 'HKD', 'SGD', '$']);

/** The currencies that a text names, each once. A plain dollar is named only where no certain one is. */
export function currenciesIn(text: string): NamedCurrency[] {
  const found = CURRENCIES.flatMap(([code, pattern]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ code, text: match[0] }];
  });
  const isCertain = found.some(({ code }) => code !== '$' && DOLLARS.has(code));
  return isCertain ? found.filter(({ code }) => code !== '$') : found;
}

/** Whether two names may be of one currency: a dollar may be anybody's. */
export function mayBeSame(a: string, b: string): boolean {
  return a === b || (DOLLARS.has(a) && DOLLARS.has(b) && (a === '$' || b === '$'));
}
