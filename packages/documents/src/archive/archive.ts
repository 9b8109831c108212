// Reads the documents in a zip file.
import type { Converting } from '../converting.ts'
import type { Converted } from '../facts.ts'
import { damaged, refuse } from '../refuse.ts'
import { escapeText } from '../xml/entities.ts'
import { openZip } from '../zip/zip.ts'

const maxListed = 200
// Written by operating systems, not by people.
const ignored = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/

/**
 * Reads the documents in a zip file, each with its name as a heading, in the order of the archive. Other files, and archives in
 * the archive, are listed. A warning reports a file that cannot be unpacked. Throws `unsupported_file` if the archive is damaged or
 * itself in another file, and `response_too_large` if it has too many files.
 */
export async function readArchive(bytes: Uint8Array, { limits, inner, warn }: Converting): Promise<Converted> {
  if (!inner) throw damaged('it is an archive in another file')
  const zip = openZip(bytes, limits)
  const names = zip.names.filter((name) => !ignored.test(name))
  if (names.length === 0) throw damaged('it contains no files')
  const readable = names.filter((name) => inner.isReadable(name))
  if (readable.length === 0) {
    throw refuse('no-documents', 'The archive contains no file that is read here. Extract it, and parse its files.')
  }
  const parts: string[] = []
  for (const name of readable.slice(0, limits.files)) {
    const content = await inner.read({ name, bytes: () => zip.bytes(name) ?? new Uint8Array() })
    if (content !== undefined) parts.push(`<h2>${escapeText(name)}</h2>${content}`)
  }
  if (readable.length > limits.files)
    warn(
      `The archive has more than ${limits.files} documents; the rest is left out. Raise limits.files of documents() to read them.`,
    )
  const others = names.filter((name) => !inner.isReadable(name))
  return { html: parts.join('') + othersHtml(others), facts: {} }
}

function othersHtml(names: readonly string[]): string {
  if (names.length === 0) return ''
  const items = names.slice(0, maxListed).map(escapeText)
  if (names.length > maxListed) items.push(`and ${names.length - maxListed} more`)
  return `<h2>Other files</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
}
