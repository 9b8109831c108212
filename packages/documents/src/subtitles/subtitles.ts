// Reads transcripts: WebVTT and SubRip.
import { countElements, type Converting } from '../converting.ts'
import type { Converted } from '../facts.ts'
import { damaged } from '../refuse.ts'
import { decodeText } from '../text-files.ts'
import { escapeText, unescapeXml } from '../xml/entities.ts'

const timing = /^\s*((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3})\s+-->\s+((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3})/

/**
 * Reads a transcript: a paragraph for each cue, with its time and its speaker. Throws `unsupported_file` without a cue.
 */
export function readSubtitles(bytes: Uint8Array, work: Converting): Converted {
  const take = countElements(work)
  const parts: string[] = []
  let isAny = false
  for (const block of decodeText(bytes)
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)) {
    const lines = block.split('\n')
    const at = lines.slice(0, 3).findIndex((line) => timing.test(line))
    const [, start = '', end = ''] = timing.exec(lines[at] ?? '') ?? []
    if (at < 0) continue
    isAny = true
    const html = textHtml(lines.slice(at + 1))
    if (html === '') continue
    if (!take('p')) break
    parts.push(`<p>[${timeOf(start)} - ${timeOf(end)}] ${html}</p>`)
  }
  if (!isAny && !/^\ufeff?WEBVTT/.test(decodeText(bytes.subarray(0, 20))))
    throw damaged('it contains no text with a time')
  return { html: parts.join(''), facts: {} }
}

/** Formats a time as hours, minutes and seconds. */
function timeOf(time: string): string {
  const [seconds = '', minutes = '', hours = '0'] = time.split(/[.,]/, 1)[0]?.split(':').toReversed() ?? []
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')
}

const tag = /<(\/?)(?:(i|b)|v(?:\.[^\s<>]{0,200})?[ \t]([^<>\n]{1,200})|[^<>\n]{0,200})>|\{\\[^{}\n]{0,200}\}/g

/** Converts the text of a cue: speakers, bold and italic are kept, other tags are removed. */
function textHtml(lines: readonly string[]): string {
  const open: string[] = []
  const out: string[] = []
  const text = lines.join('\n').trim()
  let at = 0
  for (const { 0: whole, 1: slash, 2: mark, 3: speaker, index } of text.matchAll(tag)) {
    out.push(escapeText(unescapeXml(text.slice(at, index))))
    at = index + whole.length
    if (speaker !== undefined && slash === '') out.push(`<strong>${escapeText(unescapeXml(speaker.trim()))}:</strong> `)
    else if (mark !== undefined && slash === '') {
      open.push(mark)
      out.push(`<${mark}>`)
    } else if (mark !== undefined && open[open.length - 1] === mark) out.push(`</${open.pop()}>`)
  }
  out.push(escapeText(unescapeXml(text.slice(at))), ...open.toReversed().map((name) => `</${name}>`))
  return out.join('').replaceAll('\n', ' ').trim()
}
