import { errorMessage } from '@harvestman/toolbox/error-message'
import { storeFailed } from './errors.ts'

/** Machine-readable reason why the file cannot be used, in `details.reason` of the error. */
export type SqliteReason = 'locked' | 'read-only' | 'damaged' | 'full' | 'unopenable' | 'disk' | 'too large' | 'unknown'

const usual = { reason: 'unknown', say: 'SQLite refused it.' } as const

// By SQLite's primary result codes.
const reasons: Readonly<Record<number, { readonly reason: SqliteReason; readonly say: string }>> = {
  5: { reason: 'locked', say: 'Another process keeps the file locked. Wait for it, or give a longer `lockTimeout`.' },
  6: { reason: 'locked', say: 'Something else in this process keeps the file locked.' },
  8: { reason: 'read-only', say: 'The file may not be written. Check who owns it and its folder.' },
  10: { reason: 'disk', say: 'The disk failed to read or write. Check it, and the space on it.' },
  11: { reason: 'damaged', say: 'The file is damaged. Move it away, or restore a backup.' },
  13: { reason: 'full', say: 'The disk, or the `maxBytes` of the store, is full. Free some space.' },
  14: { reason: 'unopenable', say: 'The file cannot be opened. Check that it is a file, and who owns its folder.' },
  18: { reason: 'too large', say: 'The value is larger than SQLite takes, which is a gigabyte.' },
  26: { reason: 'damaged', say: 'The file is not a SQLite file. Give another name, or move it away.' },
}

/** Returns whether SQLite failed because another connection has locked the file or a table, so that a retry may succeed. */
export function isLocked(error: unknown): boolean {
  const code = primaryCode(error)
  return code === 5 || code === 6
}

/** Returns whether the disk is full, or failed to read or write, as it also does when a quota is exceeded. */
export function isFull(error: unknown): boolean {
  const code = primaryCode(error)
  return code === 10 || code === 13
}

/**
 * Converts an error of SQLite or the file system to a `store_failed` error, with the `file` and a machine-readable `reason` in
 * its details.
 */
export function toStoreError(error: unknown, file: string) {
  const { reason, say } = reasons[primaryCode(error)] ?? (isOfFileSystem(error) ? reasons[14]! : usual)
  const message = errorMessage(error)
  return storeFailed(`The store at ${file} failed. ${say} (${message})`, error, { reason, file })
}

// The upper bits contain more detail than is needed.
function primaryCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : 0
  return typeof code === 'number' ? code & 0xff : 0
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
