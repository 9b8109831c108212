// Decodes bytes in any encoding.
export { decodeText, type Decoded } from './text/decode.ts'
export { decoderFor, type Decoder } from './text/text-decoder.ts'
