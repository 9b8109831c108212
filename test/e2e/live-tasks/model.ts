// A model that was told beforehand what to do. It has no page but the one it is shown, so it finds elements in there.
import type { ChatReply, ChatRequest } from '@harvestman/testing'

/** The page that it was last shown. */
export function pageShown({ prompt }: ChatRequest): string {
  return prompt.slice(prompt.lastIndexOf('<page>'), prompt.lastIndexOf('</page>'))
}

function refOf(words: string, request: ChatRequest): string {
  const line = pageShown(request)
    .split('\n')
    .find((one) => one.includes(words))
  const ref = /\[ref=(e\d+)\]/.exec(line ?? '')?.[1]
  if (ref === undefined) throw new Error(`The model was shown no ${words}: ${pageShown(request)}`)
  return ref
}

type Told = (request: ChatRequest) => ChatReply

/** A step on the element that is shown with these words. */
export const on =
  (name: string, words: string, more: Readonly<Record<string, string>> = {}): Told =>
  (request) => ({ calls: [{ name, input: { ref: refOf(words, request), ...more } }] })

export const step =
  (name: string, input: Readonly<Record<string, string | number>> = {}): Told =>
  () => ({ calls: [{ name, input }] })

/** Ends with what the page says. */
export const answer =
  (found: RegExp): Told =>
  (request) => ({
    calls: [{ name: 'done', input: { answer: found.exec(pageShown(request))?.[0] ?? 'It is not there.' } }],
  })
