/**
 * Regions proposed by a service that the user has set up (docs/regions.md). What it answers comes from outside: it is limited in time and
 * size, and checked before anything is shown.
 */
import type { PagePicture } from '../../../schemas/page.ts';
import type { ServiceRegion } from '../../../schemas/region-service.ts';
import { readServiceAnswer, serviceRequest } from '../../../schemas/region-service.ts';
import type { ProposeRegionsResult } from '../../../schemas/regions.ts';

export interface RegionService {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token: string | undefined;
}

const TIMEOUT_MS = 30_000;
/** Many times of what the most regions take. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The problem with an address, as a sentence; null: it can be used. */
export function problemOfAddress(url: string): string | null {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/u.test(address.protocol)) {
    return 'The address of the region service is no http or https URL; the setting auditableQa.regions.service has it.';
  }
  return address.username === '' && address.password === ''
    ? null
    : 'The address of the region service must hold no name and password; a token is set by a command of its own.';
}

/** Asks the service once; what goes wrong is a sentence of the result. `labels`: what regions can be called. */
export async function proposeByService(
  { url, token }: RegionService,
  picture: PagePicture,
  labels: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<ProposeRegionsResult> {
  const unusable = problemOfAddress(url);
  if (unusable !== null) return problem(unusable);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(serviceRequest(picture, labels)),
      // A page goes where the user said, and nowhere else.
      redirect: 'manual',
      signal,
    });
    const text = await textOf(response);
    if (typeof text !== 'string') return problem(text.problem);
    const answer = readServiceAnswer(parse(text), labels);
    if (answer.kind === 'problem') return problem(`The region service: ${answer.message}`);
    return { proposals: answer.regions.map(proposalOf), problem: null };
  } catch (error) {
    if (signal.aborted) return problem(`The region service did not answer within ${timeoutMs / 1000} seconds.`);
    return problem(`The region service at ${new URL(url).host} cannot be reached: ${reasonOf(error)}.`);
  }
}

async function textOf(response: Response): Promise<string | { readonly problem: string }> {
  if (!response.ok) {
    await response.body?.cancel();
    const { status, type } = response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      return { problem: 'The region service sends on to another address; set that one.' };
    }
    if (status === 401 || status === 403) {
      return { problem: `The region service refuses the request (${status}): it may want a token, or another one.` };
    }
    return { problem: `The region service answers with status ${status}.` };
  }
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    const part = chunk as Uint8Array;
    bytes += part.length;
    if (bytes > MAX_BYTES) return { problem: 'The answer of the region service is larger than 4 MB.' };
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** undefined: no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function proposalOf({
  label,
  score,
  left,
  top,
  width,
  height,
}: ServiceRegion): ProposeRegionsResult['proposals'][number] {
  const sure = score === null ? '' : `, ${Math.round(score * 100)} % sure`;
  return { place: { left, top, width, height }, label, says: `${label ?? 'region'}${sure}` };
}

/** What Node says is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
}

function problem(text: string): ProposeRegionsResult {
  return { proposals: [], problem: text };
}
