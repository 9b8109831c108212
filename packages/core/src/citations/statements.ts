// Statements of a language model with the passages that they are based on.
import type { TextSpan } from '@harvestman/asking'
import { sentencesIn } from './passage.ts'

/** Asks the model to copy the passages that it uses, for `readStatements`. Part of the task of a question. */
export const quotingRule =
  'After each statement, copy the words of the page that it is based on, exactly as the page has them, between <cite> and ' +
  '</cite>: at most two sentences. Copy nothing for what the page does not say.'

/** Part of the task that joins the responses for several parts of a page. */
export const quotedTogether = 'Repeat the parts between <cite> and </cite> after the statements that they belong to.'

/** A sentence, and the passages that the model named for it. */
export interface Statement {
  readonly text: string
  readonly quotes: readonly string[]
}

const maxQuote = 2_000
const maxQuotesOfStatement = 3
const tag = new RegExp(`[ \\t]{0,10}<cite>([^<]{0,${maxQuote}}(?:<(?!/?cite>)[^<]{0,${maxQuote}}){0,20})</cite>`, 'g')

/**
 * Separates a response of the model from the passages in it. A passage belongs to the sentence before it. Headings are not
 * statements, unless a passage follows.
 */
export function readStatements(answer: string): { readonly text: string; readonly statements: readonly Statement[] } {
  const quotes: { readonly at: number; readonly quote: string }[] = []
  let text = ''
  let last = 0
  for (const match of answer.matchAll(tag)) {
    text += answer.slice(last, match.index).replaceAll(/<\/?cite>/g, '')
    quotes.push({ at: text.length, quote: match[1] ?? '' })
    last = match.index + match[0].length
  }
  text = (text + answer.slice(last).replaceAll(/<\/?cite>/g, '')).trimEnd()
  const sentences = [...sentencesIn(text, { from: 0, to: text.length })]
  const of = new Map<TextSpan, string[]>()
  for (const { at, quote } of quotes) {
    const sentence = sentences.findLast(({ from }) => from < at)
    if (sentence) of.set(sentence, [...(of.get(sentence) ?? []), quote])
  }
  const statements = sentences.flatMap((sentence) => {
    const plain = text.slice(sentence.from, sentence.to).replace(/^(?:[-*+>]|\d{1,3}[.)])\s+/, '')
    const own = (of.get(sentence) ?? []).slice(0, maxQuotesOfStatement)
    const isMark = /^\d{1,3}[.)]$/.test(plain)
    const isText = !isMark && /\p{L}|\p{N}/u.test(plain) && (own.length > 0 || !plain.startsWith('#'))
    return isText ? [{ text: plain, quotes: own }] : []
  })
  return { text: text.trimStart(), statements }
}
