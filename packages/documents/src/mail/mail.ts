// Writes mails, whatever file they are from.
import type { Converting, InnerFile } from '../converting.ts'
import { factsOf, type Facts } from '../facts.ts'
import { heading } from '../html/blocks.ts'
import { pageHtml } from '../html/page.ts'
import { plainHtml } from '../html/plain.ts'
import { escapeText } from '../xml/entities.ts'

export interface Mail {
  readonly subject: string
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  /** ISO 8601, or as it is in the file. */
  readonly date: string
  readonly html: string | undefined
  readonly text: string | undefined
  readonly attachments: readonly Attachment[]
}

export interface Attachment extends InnerFile {
  readonly type: string
  /** Whether it is a picture in the text of the mail. */
  readonly isInline: boolean
  /** In bytes. */
  readonly size: number
}

const maxAddresses = 100
const maxListed = 200

/**
 * Returns a mail as HTML: its subject, sender, receivers and date, its text, the list of its attachments, and the content of those
 * that are documents. `level` is that of the heading of the subject.
 */
export async function mailHtml(mail: Mail, { inner }: Converting, level: number): Promise<string> {
  const { subject, html, text, attachments } = mail
  const body = html !== undefined && html.trim() !== '' ? pageHtml(html) : plainHtml(text ?? '')
  const files = attachments.filter(({ isInline }) => !isInline)
  const contents: string[] = []
  for (const file of inner ? files : []) {
    const content = await inner?.read(file)
    if (content !== undefined) contents.push(heading(level + 1, escapeText(file.name)) + content)
  }
  return heading(level, escapeText(subject)) + headHtml(mail) + body + listHtml(files, level) + contents.join('')
}

function headHtml({ from, to, cc, date }: Mail): string {
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['From', from],
    ['To', addressesOf(to)],
    ['Cc', addressesOf(cc)],
    ['Date', date],
  ]
  const lines = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<strong>${name}:</strong> ${escapeText(value)}`)
  return lines.length === 0 ? '' : `<p>${lines.join('<br>')}</p>`
}

function addressesOf(addresses: readonly string[]): string {
  const more = addresses.length - maxAddresses
  return addresses.slice(0, maxAddresses).join(', ') + (more > 0 ? `, and ${more} more` : '')
}

function listHtml(files: readonly Attachment[], level: number): string {
  if (files.length === 0) return ''
  const more = files.length - maxListed
  const items = files
    .slice(0, maxListed)
    .map(({ name, type, size }) => escapeText(`${name} (${type}, ${sizeOf(size)})`))
  if (more > 0) items.push(`and ${more} more`)
  return heading(level + 1, 'Attachments') + `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Returns the metadata of a mail. */
export function mailFacts({ subject, from, date }: Mail): Facts {
  return factsOf({ title: subject, author: from, publishedTime: date })
}

/** Formats a name and an address. */
export function addressOf(name: string, address: string): string {
  if (name === '' || name === address) return address
  if (address === '') return name
  return /[,;]/.test(name) ? `"${name}" <${address}>` : `${name} <${address}>`
}
