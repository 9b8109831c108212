/** How much one file may unpack to. */
export interface Bounds {
  /** Bytes of one stream. */
  readonly stream: number
  /** Bytes of all large buffers that are made for one file, whether or not they are still held. */
  readonly file: number
}

const usualBounds: Bounds = { stream: 64 * 1_048_576, file: 1_024 * 1_048_576 }

/** What was refused since it was looked last. */
export interface Unpacked {
  /** Starts to count for another file. */
  begin(): void
  /** Whether a stream was refused since the last call, or since the file was begun. */
  wasRefused(): boolean
}

// Smaller ones are no danger, and there are very many of them.
const large = 1_048_576

/**
 * Bounds what streams unpack to while they unpack. The library has no such setting, grows one array for each stream, and
 * must not grow it to gigabytes: so in this thread, which does nothing else, an array that is too long is refused.
 */
export function boundUnpacking({ stream, file }: Bounds = usualBounds): Unpacked {
  let total = 0
  let isRefused = false
  const take = (bytes: number): void => {
    if (bytes < large) return
    total += bytes
    if (bytes <= stream && total <= file) return
    isRefused = true
    throw new RangeError(`A stream unpacks to more than ${stream} bytes, or all of them to more than ${file}.`)
  }
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct: (target, given: unknown[], made) => {
      if (typeof given[0] === 'number') take(given[0])
      return Reflect.construct(target, given, made) as Uint8Array
    },
  })
  globalThis.DecompressionStream = boundedStream(DecompressionStream, take, stream)
  return {
    begin: () => {
      total = 0
      isRefused = false
    },
    wasRefused: () => {
      const was = isRefused
      isRefused = false
      return was
    },
  }
}

/** The same for streams that the platform unpacks: it hands out small pieces, which the library collects. */
function boundedStream(
  platform: typeof DecompressionStream,
  take: (bytes: number) => void,
  most: number,
): typeof DecompressionStream {
  return new Proxy(platform, {
    construct: (target, given: ConstructorParameters<typeof DecompressionStream>) => {
      const { readable, writable } = new target(...given)
      let length = 0
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          length += piece.byteLength
          // What is thrown here ends the stream.
          if (length > most) take(length)
          controller.enqueue(piece)
        },
      })
      return { readable: readable.pipeThrough(counted), writable }
    },
  })
}
