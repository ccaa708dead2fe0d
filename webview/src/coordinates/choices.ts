/** Ways to read the boxes of the record that is shown, in an order that stays while they are tried one after the other. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import type { CoordinateReading, EvidenceCoordinates } from '../../../schemas/regions.ts';

export interface Choice {
  readonly reading: CoordinateReading;
  readonly name: string;
  readonly why: string;
  readonly isDeclared: boolean;
}

export interface Choices {
  /** What is declared comes first. Empty: the record has no boxes that could be read. */
  update(evidence: ShownEvidence | null): readonly Choice[];
}

/** The same for readings that mean the same. */
export function readingKey({ space, dpi, order, origin, pageBase }: CoordinateReading): string {
  return [space, space === 'pixel' ? dpi : null, order, origin, pageBase].join(' ');
}

export function createChoices(): Choices {
  let record: { readonly uri: string; readonly index: number } | null = null;
  let choices: readonly Choice[] = [];

  function listOf({ reading, name, tried, others }: EvidenceCoordinates): readonly Choice[] {
    const further = others.map((other) => ({ ...other, isDeclared: false }));
    if (!tried) {
      return [{ reading, name, why: 'It is what is declared.', isDeclared: true }, ...further];
    }
    // The declared one is the first of the others then.
    const [declared, ...rest] = further;
    const own: Choice = { reading, name, why: TRIED, isDeclared: false };
    return declared === undefined ? [own] : [{ ...declared, isDeclared: true }, own, ...rest];
  }

  return {
    update(evidence) {
      const coordinates = evidence?.coordinates;
      if (evidence === null || coordinates === undefined) {
        record = null;
        choices = [];
        return choices;
      }
      const { uri, index } = evidence;
      const { reading, name, tried } = coordinates;
      if (!tried || choices.length === 0 || record?.uri !== uri || record.index !== index) {
        choices = listOf(coordinates);
      } else if (!choices.some((choice) => readingKey(choice.reading) === readingKey(reading))) {
        choices = [...choices, { reading, name, why: TRIED, isDeclared: false }];
      }
      record = { uri, index };
      return choices;
    },
  };
}

const TRIED = 'It was tried.';
