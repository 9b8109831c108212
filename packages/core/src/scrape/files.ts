import { type Blob, EngineError } from '@harvestman/ports'
import type { DocumentTally } from '@harvestman/threads'
import { dataUrl, fileType } from '../lib/file-type.ts'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { uuidv8 } from '@harvestman/toolbox/uuid'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'
import type { AnyDocument, Draft, PageBlock, PageBlocks, PageImage } from './document.ts'
import type { ScrapeContext } from './context.ts'
import type { Files } from './kit.ts'

/** Maximum number of pictures that are stored at the same time, because each upload has a copy. */
const maxStored = 4

/**
 * Stores the files of a document and replaces them with their URLs. A file that cannot or must not be stored becomes a `data:`
 * URL. If the document is too large for it, a picture of a page or of a figure is omitted with a warning; otherwise rejects
 * with `page_too_complex`. Rejects with the reason of the signal when the time is up. A document without files is returned
 * unchanged.
 */
export async function withFiles(draft: Draft, context: Surroundings): Promise<AnyDocument> {
  const { actions, pageImages, ...rest } = draft
  const items = rest.blocks?.flatMap((page) => page.items) ?? []
  const places = [rest, ...(pageImages ?? []), ...(actions ? Object.values(actions) : []), ...items]
  if (!places.some((place) => Object.values(place).some(isFile))) return draft as AnyDocument
  const addressed = async (value: unknown, place: string): Promise<unknown> =>
    isFile(value) ? ((await storedAt(value, place, context)) ?? inside(value, context.tally)) : value
  const lists = Object.entries(actions ?? {}).map(
    async ([name, values]) =>
      [name, await Promise.all(values.map((value, index) => addressed(value, `actions/${name}/${index}`)))] as const,
  )
  const fields = Object.entries(rest).map(async ([name, value]) => [name, await addressed(value, name)] as const)
  const [named, made] = await Promise.all([Promise.all(fields), Promise.all(lists)])
  // After the other files, which must be in the document.
  const pictures = makePictures(context)
  const images = pageImages && (await withPageUrls(pageImages, pictures))
  const blocks = rest.blocks && (await withImageUrls(rest.blocks, pictures))
  const warning = [...(rest.warning === undefined ? [] : [rest.warning]), ...pictures.warnings()].join(' ')
  return {
    // Cast: the names are the properties of the draft.
    ...(Object.fromEntries(named) as AnyDocument),
    ...(warning !== '' && { warning }),
    ...(images && { pageImages: images }),
    ...(blocks && { blocks }),
    ...(actions && { actions: Object.fromEntries(made) as NonNullable<AnyDocument['actions']> }),
  }
}

interface Pictures {
  /** Stores a picture. Resolves to its URL, or to `undefined` if it does not fit into the document. */
  urlOf(picture: string | Uint8Array, place: string): Promise<string | undefined>
  /** Returns a warning if pictures did not fit. */
  warnings(): readonly string[]
}

function makePictures(context: Surroundings): Pictures {
  const { tally } = context
  let omitted = 0
  return {
    urlOf: async (picture, place) => {
      if (!isFile(picture)) return picture
      const url = await storedAt(picture, place, context)
      if (url !== undefined || tally.fits(lengthInside(picture), 1)) return url ?? inside(picture, tally)
      omitted += 1
      return undefined
    },
    warnings: () =>
      omitted === 0
        ? []
        : [
            `Pictures of pages and figures that did not fit into the document as data URLs were left out: ${omitted}. Request fewer pages, or raise limits.documentBytes.`,
          ],
  }
}

async function withPageUrls(images: NonNullable<Draft['pageImages']>, { urlOf }: Pictures): Promise<PageImage[]> {
  const stored = await mapAtMost(images, maxStored, async ({ url: picture, ...image }) => {
    const url = await urlOf(picture, `pageImages/${image.pageNumber}`)
    return url === undefined ? [] : [{ ...image, url }]
  })
  return stored.flat()
}

async function withImageUrls(pages: readonly PageBlocks[], { urlOf }: Pictures): Promise<readonly PageBlocks[]> {
  const items = pages.flatMap((page) => page.items)
  const stored = await mapAtMost(items, maxStored, async ({ id, image, ...item }) => {
    const url = image && (await urlOf(image, `blocks/${id}`))
    return { id, ...item, ...(url !== undefined && { image: url }) }
  })
  let at = 0
  return pages.map((page) => ({ ...page, items: stored.slice(at, (at += page.items.length)) }))
}

/** Returns whether a block has a picture. */
export function hasPictures(pages: readonly PageBlocks[]): boolean {
  return pages.some(({ items }) => items.some(({ image }) => image !== undefined))
}

/** Returns the blocks without their pictures, which are files. */
export function withoutPictures(pages: readonly PageBlocks[]): readonly PageBlocks[] {
  return pages.map((page) => ({ ...page, items: page.items.map(withoutPicture) }))
}

function withoutPicture(item: PageBlock): PageBlock {
  const { image: _, ...rest } = item
  return rest
}

function isFile(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

type Surroundings = Pick<ScrapeContext, 'plan' | 'caller' | 'kit' | 'tally' | 'time'>

/** Stores a file. Resolves to its URL, or to `undefined` if it cannot or must not be stored. */
async function storedAt(
  bytes: Uint8Array,
  place: string,
  { plan, caller, kit, time }: Surroundings,
): Promise<string | undefined> {
  const { blobs, isConfigured, ttl } = kit.files
  const { team, id, filesAt, fileKey } = caller
  // Files of a request that must not be stored are returned inside the document.
  if (!plan.mayKeep || (filesAt === undefined && !isConfigured)) return undefined
  time.check()
  try {
    const own = fileKey === undefined ? undefined : uuidv8(`${fileKey}/${place}`)
    const file = await blobs.put({ id: own, bytes, type: fileType(bytes), team, ttl })
    const hasOwnUrl = filesAt === undefined || file.isPublic === true
    return hasOwnUrl ? (file.url ?? `urn:uuid:${file.id}`) : filesAt + file.id
  } catch (error) {
    // A file that cannot be stored is still returned, inside the document.
    const message = `A file could not be stored: ${errorMessage(error)}`
    kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
    return undefined
  }
}

/** Encodes a file as a data URL. */
function inside(bytes: Uint8Array, tally: DocumentTally): string {
  tally.spend(lengthInside(bytes), 1)
  return dataUrl(bytes)
}

function lengthInside({ byteLength }: Uint8Array): number {
  return Math.ceil(byteLength / 3) * 4
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
