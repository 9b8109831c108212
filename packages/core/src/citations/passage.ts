// Sentences of a Markdown document.

import type { TextSpan } from '@harvestman/asking'
import { sentenceDivider } from '@harvestman/toolbox/sentences'

// Limits, because the segmenter needs more than linear time, and a table or a list may be one line.
const maxSegmented = 2_000
const maxPassage = 400
const context = 120

const sentencesOf = sentenceDivider()

/**
 * Extends a range to whole sentences of its line. If these have more than 400 characters, it is extended to whole words, by
 * at most 120 characters on each side.
 */
export function passageAt(text: string, { from, to }: TextSpan): TextSpan {
  const passage = sentencesAt(text, { from, to })
  if (passage.to - passage.from <= maxPassage) return passage
  return trimmed(text, {
    from: wordStart(text, from, Math.max(passage.from, from - context)),
    to: wordEnd(text, to, Math.min(passage.to, to + context)),
  })
}

/**
 * Returns whether a range is whole sentences, as `passageAt` returns them, and not a part of others: `costs EUR 12` is not a
 * passage of `costs EUR 120`.
 */
export function isPassage(text: string, { from, to }: TextSpan): boolean {
  const passage = sentencesAt(text, { from, to })
  if (passage.to - passage.from <= maxPassage) return passage.from === from && passage.to === to
  const isWord = (part: string): boolean => /^(?:\p{L}|\p{N}|[.,]\d)/u.test(part)
  return !isWord(text.slice(to, to + 2)) && !/(?:\p{L}|\p{N}|\d[.,])$/u.test(text.slice(Math.max(0, from - 2), from))
}

function sentencesAt(text: string, { from, to }: TextSpan): TextSpan {
  const lineStart = Math.max(text.lastIndexOf('\n', from - 1) + 1, from - maxSegmented / 2, 0)
  const lineEnd = text.indexOf('\n', to - 1)
  const line = {
    from: from === 0 ? 0 : lineStart,
    to: Math.min(lineEnd < 0 ? text.length : lineEnd, to + maxSegmented),
  }
  const own = [...sentencesIn(text, line)].filter((one) => one.from < to && one.to > from)
  return trimmed(text, { from: Math.min(from, own[0]?.from ?? from), to: Math.max(to, own.at(-1)?.to ?? to) })
}

/** Yields the sentences of a range, line by line. Longer sentences than 2,000 characters are cut. */
export function* sentencesIn(text: string, { from, to }: TextSpan): Generator<TextSpan> {
  for (let start = from; start < to;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? to : Math.min(newline, to)
    for (let at = start; at < end; at += maxSegmented) {
      const part = text.slice(at, Math.min(end, at + maxSegmented))
      for (const { index, segment } of sentencesOf(part)) {
        const sentence = trimmed(text, { from: at + index, to: at + index + segment.length })
        if (sentence.from < sentence.to) yield sentence
      }
    }
    start = end + 1
  }
}

function trimmed(text: string, { from, to }: TextSpan): TextSpan {
  const part = text.slice(from, to)
  const start = from + (part.length - part.trimStart().length)
  return { from: Math.min(start, to), to: Math.max(start, from + part.trimEnd().length) }
}

/** Returns the first start of a word at or after `least`, or `from`. */
function wordStart(text: string, from: number, least: number): number {
  const space = text.slice(least, from).search(/\s/)
  return space < 0 ? from : least + space
}

/** Returns the last end of a word at or before `most`, or `to`. */
function wordEnd(text: string, to: number, most: number): number {
  const space = /\s\S*$/.exec(text.slice(to, most))
  return space ? to + space.index : to
}
