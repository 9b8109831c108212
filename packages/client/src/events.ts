// Parses server-sent events and lines from a byte stream.

export interface SentEvent {
  readonly id: string | undefined
  readonly type: string
  readonly data: string
}

/**
 * Yields server-sent events until the stream ends, with their data as strings. Comments, which keep connections open, and an
 * incomplete event at the end are skipped. Throws the error of the stream if it breaks. Ending the loop cancels the stream.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent, void, void> {
  for await (const part of readParts(body, /\r?\n\r?\n/)) {
    const event = parseEvent(part)
    if (event) yield event
  }
}

/**
 * Yields lines until the stream ends, including a last line without a line break. Throws the error of the stream if it breaks.
 * Ending the loop cancels the stream.
 */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  for await (const line of readParts(body, /\r?\n/, (rest) => rest !== '')) yield line
}

/**
 * Yields the strings between separators. The rest at the end is only yielded if `isWhole` accepts it, since a broken stream may
 * end in the middle.
 */
async function* readParts(
  body: ReadableStream<Uint8Array>,
  separator: RegExp,
  isComplete: (rest: string) => boolean = () => false,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const parts = rest.split(separator)
      rest = parts.pop() ?? ''
      yield* parts
      if (!done) continue
      if (isComplete(rest)) yield rest
      return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(text: string): SentEvent | undefined {
  const fields = new Map<string, string[]>()
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== '') fields.set(name, [...(fields.get(name) ?? []), value])
  }
  const data = fields.get('data')
  if (!data) return undefined
  return { id: fields.get('id')?.at(-1), type: fields.get('event')?.at(-1) ?? 'message', data: data.join('\n') }
}
