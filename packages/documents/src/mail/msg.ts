// Reads mails of Outlook ([MS-OXMSG]).
import type { CompoundStorage } from '@harvestman/toolbox/compound-file'

import { timeOf } from '../compound/summary.ts'
import type { Converting } from '../converting.ts'
import type { Converted } from '../facts.ts'
import { readRtf } from '../rtf/rtf.ts'
import { decodeBytes } from '../rtf/code-pages.ts'
import { withoutEnd } from '../html/plain.ts'
import { decodeText } from '../text-files.ts'
import { decompressRtf } from './compressed-rtf.ts'
import { addressOf, mailFacts, mailHtml, type Attachment, type Mail } from './mail.ts'

const maxRecipients = 1_000
const maxAttachments = 1_000
// Of each string about a recipient or an attachment, and of the list of properties with a fixed size.
const maxTextBytes = 4_000
const maxListBytes = 64_000

/** Ids of the properties, in hexadecimal. */
const ids = {
  subject: '0037',
  senderName: '0C1A',
  senderAddress: '0C1F',
  senderSmtp: '5D01',
  body: '1000',
  rtf: '1009',
  html: '1013',
  name: '3001',
  address: '3003',
  smtp: '39FE',
  data: '3701',
  fileName: '3704',
  longFileName: '3707',
  mimeType: '370E',
  contentId: '3712',
} as const

/** Reads a mail of Outlook. Missing properties are omitted. A mail in it is listed as an attachment, and not read. */
export async function readMsg(root: CompoundStorage, work: Converting): Promise<Converted> {
  const text = textReader(root, 32, work.limits.unpackedBytes)
  const htmlBytes = root.stream(`__substg1.0_${ids.html}0102`)
  const html = text(ids.html) || (htmlBytes && decodeHtml(htmlBytes))
  const plain = text(ids.body)
  const recipients = recipientsOf(root)
  const mail: Mail = {
    subject: text(ids.subject),
    from: addressOf(text(ids.senderName), text(ids.senderSmtp) || mailAddress(text(ids.senderAddress))),
    to: recipients.filter(({ kind }) => kind === 1).map(({ shown }) => shown),
    cc: recipients.filter(({ kind }) => kind === 2).map(({ shown }) => shown),
    date: dateOf(root),
    html: html || (plain === '' ? rtfHtml(root, work) : undefined),
    text: plain,
    attachments: attachmentsOf(root),
  }
  return { html: await mailHtml(mail, work, 1), facts: mailFacts(mail) }
}

/** Returns a reader of text properties: an empty string for a missing one. Reads at most `maxBytes` of each. */
function textReader(storage: CompoundStorage, headSize: number, maxBytes: number): (id: string) => string {
  const codePage = numberOf(storage, headSize, 0x3ffd0003) ?? 1252
  return (id) => {
    const wide = storage.stream(`__substg1.0_${id}001F`, maxBytes)
    if (wide) return withoutEnd(wide.toString('utf16le'), '\0')
    const narrow = storage.stream(`__substg1.0_${id}001E`, maxBytes)
    return narrow ? withoutEnd(decodeBytes(narrow.toString('latin1'), codePage), '\0') : ''
  }
}

/** Returns an entry of the list of properties with a fixed size, by its tag: 16 bytes, of which the last 8 are the value. */
function entryOf(storage: CompoundStorage, headSize: number, tag: number): Buffer | undefined {
  const list = storage.stream('__properties_version1.0', maxListBytes)
  if (!list) return undefined
  for (let at = headSize; at + 16 <= list.length; at += 16) {
    if (list.readUInt32LE(at) === tag) return list.subarray(at + 8, at + 16)
  }
  return undefined
}

function numberOf(storage: CompoundStorage, headSize: number, tag: number): number | undefined {
  return entryOf(storage, headSize, tag)?.readUInt32LE(0)
}

const submitTime = 0x00390040
const deliveryTime = 0x0e060040

function dateOf(root: CompoundStorage): string {
  const entry = entryOf(root, 32, submitTime) ?? entryOf(root, 32, deliveryTime)
  return (entry && timeOf(entry.readBigUInt64LE(0))) ?? ''
}

interface Recipient {
  /** 1 for To, 2 for Cc, 3 for Bcc. */
  readonly kind: number
  readonly shown: string
}

const recipientKind = 0x0c150003

function recipientsOf(root: CompoundStorage): readonly Recipient[] {
  return storagesOf(root, '__recip_version1.0_', maxRecipients).map((storage) => {
    const text = textReader(storage, 8, maxTextBytes)
    return {
      kind: numberOf(storage, 8, recipientKind) ?? 1,
      shown: addressOf(text(ids.name), text(ids.smtp) || mailAddress(text(ids.address))),
    }
  })
}

/** Returns the address, or an empty string for an address that is only valid inside an organization. */
function mailAddress(address: string): string {
  return address.includes('@') ? address : ''
}

function storagesOf(root: CompoundStorage, prefix: string, most: number): readonly CompoundStorage[] {
  const names = [...root.names].filter((name) => name.startsWith(prefix)).toSorted()
  return names.slice(0, most).flatMap((name) => root.storage(name) ?? [])
}

const dataStream = `__substg1.0_${ids.data}0102`

function attachmentsOf(root: CompoundStorage): readonly Attachment[] {
  return storagesOf(root, '__attach_version1.0_', maxAttachments).map((storage, index) => {
    const text = textReader(storage, 8, maxTextBytes)
    const type = text(ids.mimeType) || 'application/octet-stream'
    const contentId = text(ids.contentId)
    return {
      name: text(ids.longFileName) || text(ids.fileName) || text(ids.name) || `attachment-${index + 1}`,
      type,
      isInline: contentId !== '' && type.startsWith('image/'),
      size: storage.size(dataStream) ?? 0,
      // All of them may be the same sectors of the file.
      bytes: () => storage.stream(dataStream) ?? new Uint8Array(),
    }
  })
}

/** Decodes HTML by the character set that it declares. */
function decodeHtml(bytes: Buffer): string {
  const label = /<meta[^>]{1,200}?charset=["']?([\w-]{1,40})/i.exec(bytes.toString('latin1', 0, 4_000))?.[1]
  try {
    return label === undefined ? decodeText(bytes) : new TextDecoder(label).decode(bytes)
  } catch {
    return decodeText(bytes)
  }
}

/** Returns the text of a mail that is only stored as compressed RTF. */
function rtfHtml(root: CompoundStorage, work: Converting): string | undefined {
  const compressed = root.stream(`__substg1.0_${ids.rtf}0102`)
  return compressed && readRtf(decompressRtf(compressed, work.limits.unpackedBytes), work).html
}
