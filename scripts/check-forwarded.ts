import type { NamedFile } from './check-names.ts'

const reader = 'packages/http/src/request/forwarded.ts'
const header = /['"](?:x-forwarded-(?:for|proto|host|prefix|port)|x-real-ip|forwarded)['"]/gi

/**
 * Finds readers of the headers in which a reverse proxy names the caller, one sentence each. Every caller can send them, so
 * one module reads them, and only from trusted proxies.
 */
export function findForwardedReaders(files: readonly NamedFile[]): string[] {
  return files
    .filter(({ file }) => file !== reader)
    .flatMap(({ file, text }) =>
      [...text.matchAll(header)].map(
        ({ 0: name, index }) =>
          `${file}:${text.slice(0, index).split('\n').length} names the header ${name}: use makeForwarded of ${reader}.`,
      ),
    )
}
