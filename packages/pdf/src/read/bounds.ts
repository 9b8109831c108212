/** How much one file may unpack to. */
export interface Bounds {
  /** Bytes of one stream. */
  readonly stream: number
  /** Bytes of all large buffers that are made for one file, whether or not they are still held. */
  readonly file: number
}

const usualBounds: Bounds = { stream: 64 * 1_048_576, file: 1_024 * 1_048_576 }

/** What happened to the streams of the file since the last call. */
export interface Unpacked {
  /** Starts to count for another file. */
  begin(): void
  /** Whether a stream was refused since the last call, or since the file was begun. */
  wasRefused(): boolean
  /** Whether the bytes of a stream contradicted themselves or their checksum since the last call. */
  wasDamaged(): boolean
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
  let isDamaged = false
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
  globalThis.DecompressionStream = boundedStream(DecompressionStream, {
    take,
    most: stream,
    onDamage: () => {
      isDamaged = true
    },
  })
  return {
    begin: () => {
      total = 0
      isRefused = false
      isDamaged = false
    },
    wasRefused: () => {
      const was = isRefused
      isRefused = false
      return was
    },
    wasDamaged: () => {
      const was = isDamaged
      isDamaged = false
      return was
    },
  }
}

interface StreamBounds {
  readonly take: (bytes: number) => void
  readonly most: number
  readonly onDamage: () => void
}

/** The same for streams that the platform unpacks: it hands out small pieces, which the library collects. */
function boundedStream(
  platform: typeof DecompressionStream,
  { take, most, onDamage }: StreamBounds,
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
      // The library reads on after an error with an unpacker of its own, which checks nothing.
      readable.pipeTo(counted.writable).catch((error: unknown) => {
        if (isDataError(error)) onDamage()
      })
      return { readable: counted.readable, writable }
    },
  })
}

function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR'
}
