import { PassThrough } from 'node:stream'

import { EngineError, type TakeBody } from '@harvestman/ports'
import { isSoonCopied, joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { isEarlyEnd, packingsOf, type Packing } from './unpack.ts'

/** Options for decoding a body, and its limits. */
export interface BodyOptions {
  /** The header `Content-Encoding`. */
  readonly encoding: string | undefined
  /** Maximum size in bytes, after decompression. */
  readonly maxBytes: number
  /** Pauses and resumes the sender. */
  readonly pause: () => void
  readonly resume: () => void
  /** Receives the chunks as they arrive. The result is empty then. */
  readonly take?: TakeBody | undefined
  /** Called before `done` if the compressed body ended early. The result is the part that could be decompressed. */
  readonly onTruncated?: (() => void) | undefined
  /** Called once, after which no other callback is called. */
  readonly done: (result: Uint8Array | EngineError) => void
}

/** A response body that is being received. */
export interface Body {
  push(chunk: Uint8Array): void
  /** Must be called after the last chunk. */
  end(): void
  /** Drops everything without calling any callback. */
  stop(): void
}

// Pages compress to about 10%, repetitive ones to 2%. A higher ratio is a decompression bomb.
const maxRatio = 100
const freeBytes = 1_048_576
// Decompressing a small body at once costs half as much as a stream.
const smallBytes = 65_536
// An empty body, compressed, is smaller than this.
const emptyBytes = 64

/**
 * Creates the collector that also decompresses a body. Throws `bad_response` if its encoding is unknown or has more than two
 * layers; other failures are passed to `done`, at most once. A decompression bomb costs no more than the limit that it exceeds.
 */
export function gatherBody(options: BodyOptions): Body {
  const layers = packingsOf(options.encoding)
  if ('problem' in layers) throw badBody(layers.problem)
  let isOver = false
  const finish = (result: Uint8Array | EngineError): void => {
    if (isOver) return
    isOver = true
    body.stop()
    options.done(result)
  }
  const body = layers.length === 0 ? plainBody(options, finish) : packedBody(options, layers, finish)
  return {
    push: (chunk) => {
      if (!isOver) body.push(chunk)
    },
    end: () => {
      if (!isOver) body.end()
    },
    stop: () => {
      isOver = true
      body.stop()
    },
  }
}

type Finish = (result: Uint8Array | EngineError) => void

function plainBody(options: BodyOptions, finish: Finish): Body {
  const { maxBytes } = options
  const sink = makeSink(options, options, finish)
  let size = 0
  return {
    push: (chunk) => {
      size += chunk.length
      if (size > maxBytes) finish(tooLarge(maxBytes))
      else sink.add(chunk)
    },
    end: sink.end,
    stop: sink.clear,
  }
}

function packedBody(options: BodyOptions, layers: readonly Packing[], finish: Finish): Body {
  const { maxBytes } = options
  const head = makePile()
  let size = 0
  let stream: Body | undefined

  const finishWhole = (result: Uint8Array | EngineError, outputSize: number): void => {
    const isLost = outputSize === 0 && size > emptyBytes && !EngineError.is(result)
    finish(isLost ? badBody('The compressed response is truncated, and nothing could be decompressed.') : result)
  }
  const openStream = (): Body => {
    const first = head.joined()
    head.clear()
    const opened = unpackingStream(options, layers, first, () => size, finishWhole)
    opened.push(first)
    return opened
  }

  return {
    push: (chunk) => {
      size += chunk.length
      if (size > maxBytes) return finish(tooLarge(maxBytes))
      if (stream) return stream.push(chunk)
      if (head.add(chunk) > smallBytes) stream = openStream()
    },
    end: () => {
      const unpacked = stream ? undefined : unpackedAtOnce(head.joined(), layers, maxBytes)
      if (unpacked) return giveWhole(unpacked, options, finishWhole)
      stream ??= openStream()
      stream.end()
    },
    stop: () => {
      head.clear()
      stream?.stop()
    },
  }
}

/** Returns `undefined` if anything is unusual: the stream then finds the exact problem. */
function unpackedAtOnce(packed: Uint8Array, layers: readonly Packing[], maxBytes: number): Uint8Array | undefined {
  try {
    const largest = Math.min(maxBytes, Math.max(freeBytes, packed.length * maxRatio))
    return layers.reduce((bytes, layer) => (layer.begins(bytes) ? layer.all(bytes, largest) : bytes), packed)
  } catch {
    return undefined
  }
}

type FinishUnpacked = (result: Uint8Array | EngineError, outputSize: number) => void

function giveWhole(bytes: Uint8Array, { take }: BodyOptions, finish: FinishUnpacked): void {
  if (!take || bytes.length === 0) return finish(bytes, bytes.length)
  const sink = makeSink({ take }, undefined, finish)
  sink.add(bytes)
  sink.end()
}

function unpackingStream(
  options: BodyOptions,
  layers: readonly Packing[],
  head: Uint8Array,
  packedSize: () => number,
  finish: FinishUnpacked,
): Body {
  const { maxBytes, pause, resume, onTruncated } = options
  const streams = layers
    .filter((layer, index) => index > 0 || layer.begins(head))
    .map((layer, index) => layer.stream(index === 0 ? head : undefined))
  if (streams.length === 0) streams.push(new PassThrough())
  const last = streams.at(-1)!
  const sink = makeSink(options, { pause: () => void last.pause(), resume: () => void last.resume() }, finish)

  for (const [index, stream] of streams.entries()) {
    const next = streams[index + 1]
    let outputSize = 0
    const end = (): void => {
      if (next) next.end()
      else sink.end()
    }
    stream.on('data', (chunk: Uint8Array) => {
      outputSize += chunk.length
      // Each layer is limited, because a bomb may be in an inner one.
      if (outputSize > maxBytes) return finish(tooLarge(maxBytes), outputSize)
      if (isTooDense(outputSize, packedSize())) return finish(tooDense(), outputSize)
      if (!next) sink.add(chunk)
      else if (!next.write(chunk)) stream.pause()
    })
    next?.on('drain', () => stream.resume())
    stream.on('end', end)
    stream.on('error', (cause) => {
      if (!isEarlyEnd(cause)) {
        return finish(badBody('The compressed response is damaged and cannot be decompressed.', cause), outputSize)
      }
      onTruncated?.()
      end()
    })
  }

  const [first] = streams
  let isWaiting = false
  first?.on('drain', () => {
    if (isWaiting) resume()
    isWaiting = false
  })
  return {
    push: (chunk) => {
      if (first?.write(chunk) || isWaiting) return
      isWaiting = true
      pause()
    },
    end: () => void first?.end(),
    stop: () => {
      for (const stream of streams) stream.destroy()
      sink.clear()
    },
  }
}

type Flow = Pick<BodyOptions, 'pause' | 'resume'>

/** Returns the target of a body: a buffer, or a consumer that receives chunks and may pause the sender. */
function makeSink({ take }: Pick<BodyOptions, 'take'>, flow: Flow | undefined, finish: FinishUnpacked) {
  const pile = makePile()
  if (!take) {
    const end = (): void => {
      if (isSoonCopied(pile.size())) return finish(pile.joined(), pile.size())
      const pieces = pile.drain()
      // If the body was stopped meanwhile, `finish` has no effect.
      void joinInTurns(pieces).then((whole) => finish(whole, whole.length))
    }
    return { add: (chunk: Uint8Array) => void pile.add(chunk), end, clear: pile.clear }
  }
  let outputSize = 0
  let waiting: Promise<void> | undefined
  let isEnding = false
  let isStopped = false
  const goOn = (): void => {
    waiting = undefined
    for (const chunk of pile.drain()) give(chunk)
    if (waiting) return
    if (isEnding) finish(new Uint8Array(), outputSize)
    else flow?.resume()
  }
  const give = (chunk: Uint8Array): void => {
    // A sender may still deliver chunks after it was paused.
    if (waiting) return void pile.add(chunk)
    outputSize += chunk.length
    waiting = take(chunk)
    if (!waiting) return
    flow?.pause()
    void waiting.then(() => {
      if (!isStopped) goOn()
    })
  }
  return {
    add: give,
    end: () => {
      isEnding = true
      if (!waiting) finish(new Uint8Array(), outputSize)
    },
    clear: () => {
      isStopped = true
      pile.clear()
    },
  }
}

function makePile() {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    /** Adds a chunk and returns the total size. */
    add: (chunk: Uint8Array): number => {
      chunks.push(chunk)
      size += chunk.length
      return size
    },
    size: (): number => size,
    joined: (): Uint8Array => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)),
    /** Returns the chunks and removes them. */
    drain: (): readonly Uint8Array[] => {
      const all = chunks
      chunks = []
      return all
    },
    clear: () => {
      chunks = []
      size = 0
    },
  }
}

/** Returns the `bad_response` error for a body that cannot be decompressed. */
export function badBody(sentence: string, cause?: unknown): EngineError {
  return new EngineError('bad_response', `${sentence} Try again later.`, { cause })
}

/** Returns the `response_too_large` error for a body with more than `maxBytes` bytes. */
export function tooLarge(maxBytes: number): EngineError {
  return new EngineError(
    'response_too_large',
    `The response is larger than the limit of ${maxBytes} bytes. Raise limits.bodyBytes to accept it.`,
    { details: { limit: maxBytes } },
  )
}

/** Returns whether a body is denser than any real page, so that it is rejected. */
export function isTooDense(outputSize: number, packedSize: number): boolean {
  return outputSize > freeBytes && outputSize > packedSize * maxRatio
}

/** Returns the `response_too_large` error for such a body. */
export function tooDense(): EngineError {
  return new EngineError(
    'response_too_large',
    `The response decompresses to more than ${maxRatio} times its size, so it is rejected.`,
    { details: { ratio: maxRatio } },
  )
}
