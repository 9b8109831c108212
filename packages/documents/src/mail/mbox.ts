// Reads mailboxes: mails one after another, each after a line that begins with "From " (RFC 4155).
import type { Converting } from '../converting.ts'
import type { Converted } from '../facts.ts'
import { damaged, fileError } from '../refuse.ts'
import { parseMail } from './eml.ts'
import { firstLines } from './lines.ts'
import { mailHtml } from './mail.ts'

const newline = 0x0a
const mark = Buffer.from('From ')

/** Reads the mails of a mailbox, at most `limits.files`. Throws `unsupported_file` if it has none. */
export async function readMailbox(bytes: Uint8Array, work: Converting): Promise<Converted> {
  const { limits, warn } = work
  const read = firstLines(bytes, work)
  const view = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  const parts: string[] = []
  let count = 0
  for (const mail of mailsIn(view)) {
    if (count === limits.files) {
      warn(
        `The mailbox has more than ${limits.files} mails; the rest is left out. Raise limits.files of documents() to read it.`,
      )
      break
    }
    count += 1
    try {
      parts.push(await mailHtml(await parseMail(mail), work, 2))
    } catch (error) {
      warn(`Mail ${count} is left out. ${fileError(error).message}`)
    }
  }
  if (parts.length === 0) throw damaged('it contains no mail')
  return { html: parts.join(''), facts: {} }
}

/** Returns the bytes of each mail, without the line before it. */
function* mailsIn(view: Buffer): Generator<Buffer> {
  let start = view.subarray(0, mark.length).equals(mark) ? afterLine(view, 0) : -1
  while (start >= 0 && start < view.length) {
    let end = view.length
    for (let line = start - 1; line >= 0 && line < view.length; line = view.indexOf(newline, line + 1)) {
      if (line + 1 > start && view.subarray(line + 1, line + 1 + mark.length).equals(mark)) {
        end = line + 1
        break
      }
    }
    yield withoutQuotes(view.subarray(start, end))
    start = end < view.length ? afterLine(view, end) : -1
  }
}

function afterLine(view: Buffer, from: number): number {
  const end = view.indexOf(newline, from)
  return end < 0 ? view.length : end + 1
}

/** Restores lines that begin with "From ", which mailboxes write as ">From ". */
function withoutQuotes(mail: Buffer): Buffer {
  return Buffer.from(mail.toString('latin1').replaceAll(/^>(>*From )/gm, '$1'), 'latin1')
}
