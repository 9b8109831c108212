// Files in the wrapping that Office used before 2007, and still uses for what is encrypted.
import { encrypted, refuse, damaged } from './refuse.ts'

/** Is there a file of today, encrypted, in the wrapping? */
export function isEncrypted(bytes: Uint8Array): boolean {
  return isCompoundFile(bytes) && hasStream(bytes, 'EncryptedPackage')
}

export function isCompoundFile(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0
}

function hasStream(bytes: Uint8Array, name: string): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.includes(`${name}\0`, 0, 'utf16le')
}

export function readBinary(bytes: Uint8Array): never {
  const has = (stream: string): boolean => hasStream(bytes, stream)
  if (isEncrypted(bytes)) throw encrypted()
  if (has('WordDocument')) throw oldFormat('a Word document', 'docx')
  if (has('PowerPoint Document')) throw oldFormat('a PowerPoint presentation', 'pptx')
  throw damaged('its wrapping is that of Office, and there is no document in it')
}

function oldFormat(what: string, now: string) {
  const sentence = `The file is ${what} in the format of before 2007. Save it as ${now}, and scrape that copy.`
  return refuse('old-format', sentence)
}
