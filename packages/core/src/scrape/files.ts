import { type Blob, EngineError } from '@harvestman/ports'
import type { DocumentTally } from '@harvestman/threads'
import { dataUrl, fileType } from '../lib/file-type.ts'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { uuidv8 } from '@harvestman/toolbox/uuid'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'
import type { AnyDocument, Draft, PageBlocks, PageImage } from './document.ts'
import type { ScrapeContext } from './context.ts'
import type { Files } from './kit.ts'

/** Maximum number of pictures that are stored at the same time. */
const maxStored = 4

/**
 * Stores the files of a document and replaces them with their URLs. A file that cannot or must not be stored becomes a `data:`
 * URL; rejects with `page_too_complex` if the document is too large for it. A document without files is returned unchanged.
 */
export async function withFiles(draft: Draft, context: Surroundings): Promise<AnyDocument> {
  const { actions, pageImages = [], ...rest } = draft
  const items = rest.blocks?.flatMap((page) => page.items) ?? []
  const places = [rest, ...pageImages, ...(actions ? Object.values(actions) : []), ...items]
  if (!places.some((place) => Object.values(place).some(isFile))) return draft as AnyDocument
  const addressed = async (value: unknown, place: string): Promise<unknown> =>
    isFile(value) ? addressOf(value, place, context) : value
  const lists = Object.entries(actions ?? {}).map(
    async ([name, values]) =>
      [name, await Promise.all(values.map((value, index) => addressed(value, `actions/${name}/${index}`)))] as const,
  )
  const images: PageImage[] = []
  // Sequentially: there may be many, and each upload has a copy.
  for (const { url, ...image } of pageImages)
    images.push({ ...image, url: String(await addressed(url, `pageImages/${image.pageNumber}`)) })
  const blocks = rest.blocks && (await withImageUrls(rest.blocks, context))
  const fields = Object.entries({ ...rest, ...(blocks && { blocks }) }).map(
    async ([name, value]) => [name, await addressed(value, name)] as const,
  )
  // Cast: the names are those of the draft.
  const named = Object.fromEntries(await Promise.all(fields)) as AnyDocument
  return {
    ...named,
    ...(draft.pageImages && { pageImages: images }),
    ...(actions && { actions: Object.fromEntries(await Promise.all(lists)) as NonNullable<AnyDocument['actions']> }),
  }
}

/** Stores the pictures of figures, a few at a time, and replaces them with their URLs. */
async function withImageUrls(pages: readonly PageBlocks[], context: Surroundings): Promise<readonly PageBlocks[]> {
  const items = pages.flatMap((page) => page.items)
  const stored = await mapAtMost(items, maxStored, async ({ id, image, ...item }) => ({
    ...{ id, ...item },
    ...(image && { image: isFile(image) ? await addressOf(image, `blocks/${id}`, context) : image }),
  }))
  let at = 0
  return pages.map((page) => ({ ...page, items: stored.slice(at, (at += page.items.length)) }))
}

function isFile(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

type Surroundings = Pick<ScrapeContext, 'plan' | 'caller' | 'kit' | 'tally'>

async function addressOf(
  bytes: Uint8Array,
  place: string,
  { plan, caller, kit, tally }: Surroundings,
): Promise<string> {
  const { blobs, isConfigured, ttl } = kit.files
  const { team, id, filesAt, fileKey } = caller
  // Files of a request that must not be stored are returned inside the document.
  if (!plan.mayKeep || (filesAt === undefined && !isConfigured)) return inside(bytes, tally)
  try {
    const own = fileKey === undefined ? undefined : uuidv8(`${fileKey}/${place}`)
    const file = await blobs.put({ id: own, bytes, type: fileType(bytes), team, ttl })
    const hasOwnUrl = filesAt === undefined || file.isPublic === true
    return hasOwnUrl ? (file.url ?? `urn:uuid:${file.id}`) : filesAt + file.id
  } catch (error) {
    // A file that cannot be stored is still returned, inside the document.
    const message = `A file could not be stored: ${errorMessage(error)}`
    kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
    return inside(bytes, tally)
  }
}

/** Encodes a file as a data URL. */
function inside(bytes: Uint8Array, tally: DocumentTally): string {
  tally.spend(Math.ceil(bytes.byteLength / 3) * 4, 1)
  return dataUrl(bytes)
}

const urn = /^urn:uuid:/i

/**
 * Returns the file with this id or `urn:uuid:` URL. Rejects with `not_found` if there is none, and, with a team, `forbidden`
 * for a file of another team.
 */
export async function findFile({ blobs }: Files, given: string, team: string | undefined): Promise<Blob> {
  const file = await blobs.get(given.replace(urn, ''))
  if (!file) throw new EngineError('not_found', 'This file does not exist, or it has expired.')
  if (team === undefined || team === file.team) return file
  throw new EngineError('forbidden', 'This file belongs to another team.')
}
