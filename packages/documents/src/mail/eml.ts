// Reads mails. The only module that imports postal-mime.
import PostalMime, { type Address, type Attachment as Part, type Email } from 'postal-mime'

import type { Converting } from '../converting.ts'
import type { Converted } from '../facts.ts'
import { damaged } from '../refuse.ts'
import { firstLines } from './lines.ts'
import { addressOf, mailFacts, mailHtml, type Mail } from './mail.ts'

const maxNesting = 50
const maxHeaderBytes = 1_000_000

/** Reads a mail (RFC 5322). Throws `unsupported_file` if the bytes are none, or nest deeper than 50 parts. */
export async function readMail(bytes: Uint8Array, work: Converting): Promise<Converted> {
  const mail = await parseMail(firstLines(bytes, work))
  return { html: await mailHtml(mail, work, 1), facts: mailFacts(mail) }
}

/** Parses a mail. Throws `unsupported_file` if the bytes have no header of a mail, or exceed the limits of the library. */
export async function parseMail(bytes: Uint8Array): Promise<Mail> {
  const found = await parse(bytes)
  const { from, to = [], cc = [], subject = '', date = '', html, text, attachments } = found
  if (!from && subject === '' && date === '' && to.length === 0) throw damaged('it has no header of a mail')
  return {
    ...{ subject, date, html, text },
    from: from ? addressesOf(from).join(', ') : '',
    to: to.flatMap(addressesOf),
    cc: cc.flatMap(addressesOf),
    attachments: attachments.map((part, index) => ({
      name: part.filename ?? `attachment-${index + 1}`,
      type: part.mimeType,
      isInline: part.related === true && part.mimeType.startsWith('image/'),
      size: sizeOf(part),
      bytes: () => bytesOf(part),
    })),
  }
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    // The library keeps views of the buffer, which must not be that of other files.
    return await PostalMime.parse(new Uint8Array(bytes), {
      maxNestingDepth: maxNesting,
      maxHeadersSize: maxHeaderBytes,
      attachmentEncoding: 'arraybuffer',
    })
  } catch {
    throw damaged(`its parts nest deeper than ${maxNesting}, or its header has more than ${maxHeaderBytes} bytes`)
  }
}

function addressesOf(address: Address): readonly string[] {
  return (address.group ?? [address]).map((one) => addressOf(one.name, one.address ?? ''))
}

function sizeOf({ content }: Part): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
}

function bytesOf({ content }: Part): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content)
  return new Uint8Array(content)
}
