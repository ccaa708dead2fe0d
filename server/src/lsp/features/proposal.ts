import { CONFIGURATION_FILE } from '../../../../schemas/configuration.ts';
import type { ConfigurationProposal } from '../../../../schemas/protocol.ts';
import type { CoordinateReading } from '../../../../schemas/regions.ts';
import { coordinatesIn } from '../../core/evidence/spaces.ts';
import { documentRequest } from '../../core/profile/locations.ts';
import { baseName, folderOf, joinPath, normalisePath } from '../../core/profile/paths.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import { isRecord } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** Records that are asked which location their document was found at. */
const ASKED = 200;

/**
 * A configuration that says what was recognised for a file, beside it, since recognised locations are relative to it;
 * where one governs the file already, at its place. `reading`: how boxes and pages are to be read, where that is something else than they
 * are. null: no profile fits.
 */
export function proposalOf(
  session: Session,
  toUri: (path: string) => string,
  reading?: CoordinateReading,
): ConfigurationProposal | null {
  const { checker } = session;
  if (checker === undefined) return null;
  const { settings } = checker;
  const { coordinates, pageBase } =
    reading === undefined ? settings : { coordinates: coordinatesIn(reading), pageBase: reading.pageBase };
  const file = normalisePath(session.path);
  const found = locationsFound(session.rows(), settings);
  const dataset = {
    files: [`*${extensionOf(baseName(file))}`],
    profile: settings.profile.name,
    ...found,
    ...(coordinates && { coordinates }),
    ...(settings.relativeCoordinates && { relativeCoordinates: settings.relativeCoordinates }),
    ...(settings.profile.fields.pages && { pageBase }),
    ...(settings.pageImage.length > 0 && { imageBase: settings.imageBase }),
    tolerance: settings.tolerance,
    rules: {},
  };
  const folder = settings.configurationFolder ?? folderOf(file);
  return {
    uri: toUri(joinPath(folder, CONFIGURATION_FILE)),
    content: `${JSON.stringify({ datasets: [dataset] }, null, 2)}\n`,
  };
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? name : name.slice(dot);
}

/** The templates at which documents lie. */
function locationsFound(
  rows: readonly Row[],
  settings: FileSettings,
): { pdf?: string | string[]; pageImage?: string | string[] } {
  const asked = rows.filter((row) => row.document !== undefined && isRecord(row)).slice(0, ASKED);
  const pdf = settings.pdf.filter((template) =>
    asked.some((row) => {
      const facts = row.document?.pdf;
      if (facts === undefined || facts.state === 'missing' || facts.state === 'refused') return false;
      return documentRequest(row.checked!.record!, { ...settings, pdf: [template], pageImage: [] })?.pdf.includes(
        facts.path,
      );
    }),
  );
  const pageImage = settings.pageImage.filter((template) =>
    asked.some((row) => {
      const paths = [...(row.document?.images?.values() ?? [])].flatMap((image) =>
        'path' in image ? [image.path] : [],
      );
      const request = documentRequest(row.checked!.record!, { ...settings, pdf: [], pageImage: [template] });
      return [...(request?.images.values() ?? [])].flat().some((candidate) => paths.includes(candidate));
    }),
  );
  return { ...(pdf.length > 0 && { pdf: short(pdf) }), ...(pageImage.length > 0 && { pageImage: short(pageImage) }) };
}

function short(list: string[]): string | string[] {
  return list.length === 1 ? list[0]! : list;
}
