import { EngineError } from '@harvestman/ports'
import { getResolvedPDFJS } from 'unpdf'

import type { Bookmark, Face, FileFacts, PageItems } from '../types.ts'
import { faceOf } from './faces.ts'
import { metadataOf, type Info } from './facts.ts'
import { withLinks } from './links.ts'
import { findPictures, type PictureStepNames } from './pictures.ts'
import { repairTruncated } from './repair.ts'
import { rolesOf } from './roles.ts'
import { readText, type PageText } from './page-text.ts'
import { findRules, isMatrix, multiply, type Drawing, type Matrix } from './rules.ts'
import { rotateText, type PlacedText } from './rotate-text.ts'
import { usesFailedFont, withoutUndecoded } from './undecoded.ts'

export interface PdfFile {
  readonly facts: FileFacts
  /** Reads a page. Returns `repeated` if an earlier number was the same page. */
  readPage(number: number): Promise<PageItems | 'repeated'>
  close(): Promise<void>
}

export interface Opening {
  readonly password?: string | undefined
  /** The folder of character maps for fonts that refer to one by name, ending with a slash. */
  readonly cMaps?: string | undefined
}

/**
 * Opens a file and takes over its bytes. Rejects with `unsupported_file` if it is broken or needs another password; a truncated
 * file is repaired if possible. `readPage` rejects with the errors of the library. No scripts are run, nothing is fetched, no
 * fonts are rendered and no images are decoded.
 */
export async function openPdf(bytes: Uint8Array, { password, cMaps }: Opening = {}): Promise<PdfFile> {
  const pdfjs = await getResolvedPDFJS()
  // The library takes ownership of the bytes, so a copy that may be needed later is made before.
  const spare = isComplete(bytes) ? undefined : repairTruncated(bytes)
  const load = (data: Uint8Array): Loading =>
    pdfjs.getDocument({
      data,
      ...(password !== undefined && { password }),
      ...(cMaps !== undefined && { cMapUrl: cMaps, cMapPacked: true }),
      verbosity: 0,
      maxImageSize: 0,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      useWasm: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      enableXfa: false,
    })
  let loading = load(bytes)
  const file = await loading.promise.catch((error: unknown) => {
    if (!spare || isLocked(error)) throw refusal(error)
    loading = load(spare)
    return loading.promise.catch((second: unknown) => Promise.reject(refusal(second)))
  })
  const { info } = await file.getMetadata().catch(() => ({ info: {} }))
  const outline = await file.getOutline().catch(() => undefined)
  const faces = new Map<string, Face>()
  // Cast: the library declares this as a generic object.
  const names = pdfjs.OPS as Names
  const read = new Set<string>()
  return {
    facts: {
      totalPages: file.numPages,
      isCut: spare !== undefined,
      bookmarks: bookmarksOf(outline ?? []),
      metadata: metadataOf(info as Info),
    },
    readPage: async (number) => {
      const page = await file.getPage(number)
      const id = idOf(page)
      if (id !== undefined && read.has(id)) return 'repeated'
      if (id !== undefined) read.add(id)
      return readPage(page, number, faces, names)
    },
    close: () => loading.destroy(),
  }
}

interface Names extends PictureStepNames {
  readonly setFont: number
}

type Loading = ReturnType<Awaited<ReturnType<typeof getResolvedPDFJS>>['getDocument']>
type LibraryFile = Awaited<Loading['promise']>
type LibraryPage = Awaited<ReturnType<LibraryFile['getPage']>>

/** Returns the object number of the page in the file. */
function idOf(page: LibraryPage): string | undefined {
  const { ref } = page as { readonly ref?: { readonly num: number; readonly gen: number } | null }
  return ref ? `${ref.num} ${ref.gen}` : undefined
}

async function readPage(page: LibraryPage, number: number, faces: Map<string, Face>, names: Names): Promise<PageItems> {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const rawMatrix: unknown = transform
  const start: Matrix = isMatrix(rawMatrix) ? rawMatrix : [1, 0, 0, -1, 0, height]
  const text = await readText(page)
  // The drawing operations load the fonts, so they must be read before the text runs are interpreted.
  const drawing = text.isCut ? undefined : await readDrawing(page)
  const rules = drawing ? findRules(drawing, names, start) : []
  const pictures = drawing ? findPictures(drawing, names, start, { width, height }) : []
  const links = await readLinks(page, start)
  const structure = text.hasMarks ? await page.getStructTree().catch(() => undefined) : undefined
  const roles = rolesOf(structure)
  const found = withoutUndecoded(place(text, start, (key) => faceFor(page, key, faces), roles))
  const isFailed = (key: string): boolean => failedFont(page, key)
  const isUndecoded = found.isUndecoded || (drawing !== undefined && usesFailedFont(drawing, names, isFailed))
  page.cleanup()
  return withLinks({
    number,
    width,
    height,
    links,
    pictures,
    isCut: text.isCut,
    isUndecoded,
    ...rotateText(found.items, rules),
  })
}

async function readDrawing(page: LibraryPage): Promise<Drawing | undefined> {
  try {
    const { fnArray, argsArray } = await page.getOperatorList()
    return { steps: fnArray, inputs: argsArray }
  } catch {
    // A page with invalid drawing operations may still have text.
    return undefined
  }
}

async function readLinks(page: LibraryPage, start: Matrix): Promise<PageItems['links']> {
  const notes = (await page.getAnnotations().catch(() => [])) as { subtype?: string; url?: string; rect?: number[] }[]
  return notes.flatMap(({ subtype, url, rect }) => {
    if (subtype !== 'Link' || typeof url !== 'string' || !/^(?:https?|mailto|tel|ftp):/i.test(url)) return []
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect ?? []
    const [, , , , left, top] = multiply(start, [1, 0, 0, 1, x1, y1])
    const [, , , , right, bottom] = multiply(start, [1, 0, 0, 1, x2, y2])
    return [
      {
        url,
        left: Math.min(left, right),
        right: Math.max(left, right),
        top: Math.min(top, bottom),
        bottom: Math.max(top, bottom),
      },
    ]
  })
}

function faceFor(page: LibraryPage, key: string, faces: Map<string, Face>): Face {
  const known = faces.get(key)
  if (known) return known
  const objects = page.commonObjs as { has(key: string): boolean; get(key: string): { name?: string } | null }
  const name = objects.has(key) ? objects.get(key)?.name : undefined
  const face = faceOf(name)
  if (name !== undefined) faces.set(key, face)
  return face
}

/** Returns whether a font could not be loaded: the library then stores an error message in its place. */
function failedFont(page: LibraryPage, key: string): boolean {
  const objects = page.commonObjs as { has(key: string): boolean; get(key: string): unknown }
  return key === 'g_font_error' || (objects.has(key) && typeof objects.get(key) === 'string')
}

const fullWidth = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const plainFaces = new WeakMap<Face, Face>()

/** Removes `mono` from a font, because characters of these scripts have the same width in every font. */
function withoutMono(face: Face): Face {
  if (!face.mono) return face
  const known = plainFaces.get(face) ?? { ...face, mono: false }
  plainFaces.set(face, known)
  return known
}

/** Assigns each run its position and its role. Spaces between runs become a property of the following run. */
function place(
  { items }: PageText,
  start: Matrix,
  faceOfKey: (key: string) => Face,
  roles: ReadonlyMap<string, string>,
): PlacedText[] {
  const placed: PlacedText[] = []
  const marks: (string | undefined)[] = []
  let isSpaced = false
  for (const { type, id, tag, str, width, transform, fontName } of items) {
    if (type?.startsWith('begin')) marks.push(tag === 'Artifact' ? 'Artifact' : id && roles.get(id))
    else if (type) marks.pop()
    else if (str === undefined || str.trim() === '') isSpaced = isSpaced || (str ?? '') !== ''
    else {
      const [a, b, c, d, x, y] = multiply(start, transform)
      const role = marks.findLast((mark) => mark)
      const size = Math.hypot(c, d)
      placed.push({
        text: str,
        x,
        y,
        width,
        size: size || 1,
        face: fullWidth.test(str) ? withoutMono(faceOfKey(fontName)) : faceOfKey(fontName),
        isSpaced: isSpaced || /^\s/.test(str),
        direction: Math.atan2(b, a),
        ...(role && { role }),
      })
      isSpaced = /\s$/.test(str)
    }
  }
  return placed
}

interface OutlineNode {
  readonly title: string
  readonly items: readonly OutlineNode[]
}

const maxBookmarks = 5_000
const deepest = 6

function bookmarksOf(nodes: readonly OutlineNode[], depth = 1, found: Bookmark[] = []): Bookmark[] {
  for (const { title, items } of nodes) {
    if (found.length >= maxBookmarks) break
    found.push({ title, depth })
    if (depth < deepest) bookmarksOf(items, depth + 1, found)
  }
  return found
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException'
}

/** Returns whether the file is complete: a complete file ends with its cross-reference table. */
function isComplete(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(-2_048)).toString('latin1').includes('startxref')
}

function refusal(error: unknown): EngineError {
  if (isLocked(error)) {
    return new EngineError(
      'unsupported_file',
      'The PDF can only be opened with a password. Ask its owner for a copy without one.',
      { details: { reason: 'encrypted' } },
    )
  }
  const sentence = 'The file calls itself a PDF and is broken: no page of it can be found. Send or link a whole copy.'
  return new EngineError('unsupported_file', sentence, { cause: error, details: { reason: 'broken' } })
}
