// Office files are recognized by the names of the parts in their archive.
import { compoundFileNames } from '@harvestman/toolbox/compound-file'

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const slides = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'

const typesByPart: readonly (readonly [part: RegExp, type: string])[] = [
  [/^word\/document\.xml$/, word],
  [/^xl\/workbook\.xml$/, sheet],
  [/^xl\/workbook\.bin$/, 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  [/^ppt\/presentation\.xml$/, slides],
  [/^word\//, word],
  [/^xl\//, sheet],
  [/^ppt\//, slides],
  [/^META-INF\/container\.xml$/, 'application/epub+zip'],
  [/^AndroidManifest\.xml$/, 'application/vnd.android.package-archive'],
  [/^META-INF\/MANIFEST\.MF$/, 'application/java-archive'],
]

const maxParts = 1_000
// Size of the end record of an archive with the longest possible comment.
const maxEndBytes = 22 + 0xffff
// Number of bytes from the start that are searched if the directory is not conclusive.
const maxSearchedBytes = 4 * 1_048_576

/**
 * Returns the media type of a zip by its parts, `application/zip` if it is no known type. Reads at most 1,000 names of parts
 * from its directory, or from the first 4 MiB of a file without one.
 */
export function zipTypeOf(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const named = ownTypeOf(view)
  if (named) return named
  const parts = partNames(view)
  return (
    typesByPart.find(([part]) => parts.some((name) => part.test(name)))?.[1] ?? laterTypeOf(view) ?? 'application/zip'
  )
}

/** Returns the type that OpenDocument and EPUB files store in their first part, uncompressed. */
function ownTypeOf(view: Buffer): string | undefined {
  if (view.toString('latin1', 30, 38) !== 'mimetype') return undefined
  const start = 38 + view.readUInt16LE(28)
  const type = /^application\/[\w.+-]+/.exec(view.toString('latin1', start, start + 100))?.[0]
  // The header of the next part follows directly and begins with `PK`.
  return type?.replace(/PK$/, '')
}

/** Finds the uncompressed type in other positions, where some applications write it. */
function laterTypeOf(view: Buffer): string | undefined {
  const at = view.subarray(0, maxSearchedBytes).indexOf('mimetypeapplication/', 0, 'latin1')
  if (at < 0) return undefined
  return /^application\/[\w.+-]+/.exec(view.toString('latin1', at + 8, at + 108))?.[0].replace(/PK$/, '')
}

function partNames(view: Buffer): string[] {
  const listed = listedNames(view)
  return listed.length > 0 ? listed : foundNames(view)
}

/** Returns the part names in the directory at the end of the file. */
function listedNames(view: Buffer): string[] {
  const tailStart = Math.max(0, view.length - maxEndBytes)
  const end = tailStart + view.subarray(tailStart).lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < tailStart || end + 22 > view.length) return []
  const names: string[] = []
  let at = view.readUInt32LE(end + 16)
  while (names.length < maxParts && at + 46 <= view.length && view.readUInt32LE(at) === 0x02014b50) {
    const nameLength = view.readUInt16LE(at + 28)
    names.push(view.toString('latin1', at + 46, at + 46 + nameLength))
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
  }
  return names
}

/** Returns the part names in local headers, for truncated files. */
function foundNames(whole: Buffer): string[] {
  const view = whole.subarray(0, maxSearchedBytes)
  const names: string[] = []
  let at = view.indexOf('PK\x03\x04', 0, 'latin1')
  while (at >= 0 && names.length < maxParts && at + 30 <= view.length) {
    names.push(view.toString('latin1', at + 30, at + 30 + Math.min(view.readUInt16LE(at + 26), 200)))
    at = view.indexOf('PK\x03\x04', at + 30, 'latin1')
  }
  return names
}

const typesByStream: readonly (readonly [stream: string, type: string])[] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
  ['Book', 'application/vnd.ms-excel'],
]

/**
 * Returns the media type of a compound file, the format of Office before 2007, by the names of its streams. `application/x-cfb`
 * if it is no known type.
 */
export function cfbTypeOf(bytes: Uint8Array): string {
  const names = compoundFileNames(bytes)
  return typesByStream.find(([stream]) => names.has(stream))?.[1] ?? 'application/x-cfb'
}
