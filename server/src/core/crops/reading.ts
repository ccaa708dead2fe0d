/** How the boxes of a file are read for cutting: as configured, else as all of them together tell. */
import { inferCoordinates } from '../evidence/coordinates.ts';
import type { FileBoxFacts } from '../evidence/coordinates.ts';
import type { FileSettings } from '../profile/types.ts';

export interface CropReading {
  readonly settings: FileSettings;
  /** x and y stand in each other's place. */
  readonly exchanged: boolean;
  /** What people should know of it, as a sentence. */
  readonly note?: string;
}

/** The same vote as that of box/coordinate-space. What the configuration says goes before it, with a warning. */
export function readingForCrops(facts: FileBoxFacts, declared: FileSettings): CropReading {
  const inferred = declared.coordinates && inferCoordinates(facts, declared.coordinates);
  if (inferred === undefined) return { settings: declared, exchanged: false };
  const { coordinates, exchanged, pageBase, reason, name, declared: declaredName } = inferred;
  if (declared.declaredIn?.includes('coordinates') === true) {
    return {
      settings: declared,
      exchanged: false,
      note: `${reason} They are cut as ${declaredName} all the same, as auditable-qa.json says.`,
    };
  }
  const isBaseOpen = declared.declaredIn?.includes('pageBase') !== true;
  return {
    settings: { ...declared, coordinates, ...(pageBase !== undefined && isBaseOpen && { pageBase }) },
    exchanged,
    note: `${reason} They are cut as ${name}; "coordinates" in auditable-qa.json can say something else.`,
  };
}
