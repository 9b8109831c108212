// Compound files: the container of Office files before 2007, and of encrypted files today.
import { compoundFileNames, isCompoundFile } from '@harvestman/toolbox/compound-file'

import { encrypted, refuse, damaged } from './refuse.ts'

/** Returns whether the compound file contains an encrypted file of a current Office version. False for other files. */
export function isEncrypted(bytes: Uint8Array): boolean {
  return compoundFileNames(bytes).has('EncryptedPackage')
}

/**
 * Always throws `unsupported_file`, with the reason and the remedy: for Office files before 2007, encrypted files and all
 * other bytes.
 */
export function readBinary(bytes: Uint8Array): never {
  const names = compoundFileNames(bytes)
  if (names.has('EncryptedPackage')) throw encrypted()
  if (names.has('WordDocument')) throw oldFormat('a Word document', 'docx')
  if (names.has('PowerPoint Document')) throw oldFormat('a PowerPoint presentation', 'pptx')
  if (!isCompoundFile(bytes)) throw damaged('it does not start like an Office file')
  throw damaged('it is an Office container without a document')
}

function oldFormat(what: string, now: string) {
  const sentence = `The file is ${what} in the format of before 2007. Save it as ${now}, and scrape that copy.`
  return refuse('old-format', sentence)
}
