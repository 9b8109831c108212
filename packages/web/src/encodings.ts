import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Encodings that the build writes next to each file, so that no request waits for compression. */
export const encodings = {
  gzip: { ending: '.gz', encode: (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }) },
  brotli: {
    ending: '.br',
    encode: (bytes: Uint8Array) =>
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  },
} as const
