// Compound files: the container of Office files before 2007, of Outlook's mails, and of encrypted files today.
import { compoundFileNames, isCompoundFile, openCompoundFile } from '@harvestman/toolbox/compound-file'

import type { Converting } from './converting.ts'
import { readDoc } from './doc/doc.ts'
import type { Converted } from './facts.ts'
import { readMsg } from './mail/msg.ts'
import { readPpt } from './ppt/ppt.ts'
import { damaged, encrypted } from './refuse.ts'

/** Returns whether the compound file contains an encrypted file of a current Office version. False for other files. */
export function isEncrypted(bytes: Uint8Array): boolean {
  return compoundFileNames(bytes).has('EncryptedPackage')
}

/**
 * Reads the document in a compound file: a Word document, a presentation or a mail. Throws `unsupported_file` for encrypted
 * files and all other bytes.
 */
export function readCompound(bytes: Uint8Array, work: Converting): Converted | Promise<Converted> {
  const root = openCompoundFile(bytes)
  if (root.names.has('EncryptedPackage')) throw encrypted()
  if (root.names.has('WordDocument')) return readDoc(root, work)
  if (root.names.has('PowerPoint Document')) return readPpt(root, work)
  if (root.names.has('__properties_version1.0')) return readMsg(root, work)
  if (!isCompoundFile(bytes)) throw damaged('it does not start like an Office file')
  throw damaged('it is an Office container without a document')
}
