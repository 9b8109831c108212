/** Limits on the decompressed size of one file. */
export interface Bounds {
  /** Maximum bytes of one stream. */
  readonly stream: number
  /** Maximum bytes of all large buffers allocated for one file, including those that were freed. */
  readonly file: number
}

const defaultBounds: Bounds = { stream: 64 * 1_048_576, file: 1_024 * 1_048_576 }

/** Reports events in the streams of the file since the last call. */
export interface Unpacked {
  /** Resets the counters for another file. */
  begin(): void
  /** Returns whether a stream was rejected since the last call or since the file was started. */
  wasRefused(): boolean
  /** Returns whether the data of a stream was invalid or did not match its checksum since the last call. */
  wasDamaged(): boolean
}

// Smaller buffers are harmless, and there are very many of them.
const large = 1_048_576

/**
 * Limits the bytes of each stream (default: 64 MiB) and of all buffers of at least 1 MiB of a file (default: 1 GiB) while they
 * are decompressed. The library has no such option and grows one array per stream, possibly to gigabytes. So this replaces
 * `Uint8Array` and `DecompressionStream` in this thread, which does nothing else, by versions that throw a `RangeError` above
 * the limits.
 */
export function boundUnpacking({ stream, file }: Bounds = defaultBounds): Unpacked {
  let total = 0
  let isRefused = false
  let isDamaged = false
  const take = (bytes: number): void => {
    if (bytes < large) return
    total += bytes
    if (bytes <= stream && total <= file) return
    isRefused = true
    throw new RangeError(`A stream decompresses to more than ${stream} bytes, or all of them to more than ${file}.`)
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

/** Limits streams that the platform decompresses. It emits small chunks, which the library collects. */
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
          // An error thrown here ends the stream.
          if (length > most) take(length)
          controller.enqueue(piece)
        },
      })
      // After an error the library continues with its own decompressor, which does not verify checksums.
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
