// Bytes as text, in whatever encoding they came.
export { decodeText, type Decoded } from './text/decode.ts'
export { decoderFor, type Decoder } from './text/text-decoder.ts'
