import { errorMessage } from '@harvestman/toolbox/error-message'
import { EngineError } from '@harvestman/ports'
import { badBody, notHttp, wireErrorOf } from '@harvestman/net/fetcher'

// The kinds of certificate problems in messages of impit, and the codes of Node for them.
const certificates: Readonly<Record<string, string>> = {
  Expired: 'CERT_HAS_EXPIRED',
  NotValidYet: 'CERT_NOT_YET_VALID',
  Revoked: 'CERT_REVOKED',
  NotValidForName: 'HOSTNAME_MISMATCH',
  UnknownIssuer: 'UNABLE_TO_GET_ISSUER_CERT',
}

// Patterns for the name and the message of an error, and a code of Node or undici; the first match counts.
const rows: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/^\w*Timeout/, 'UND_ERR_HEADERS_TIMEOUT'],
  [/\b(?:AlertReceived|InvalidMessage|PeerIncompatible|PeerMisbehaved|InappropriateHandshakeMessage)\b/, 'EPROTO'],
  [/\bTooLarge\b/, 'UND_ERR_HEADERS_OVERFLOW'],
  [/close_notify|\b(?:IncompleteMessage|IncompleteBody|Connection(?:Reset|Aborted)|BrokenPipe)\b/, 'ECONNRESET'],
  [/\b(?:Reset|GoAway)\(|\bConnect\b|^(?:Connect|Close|Write|Network|RemoteProtocol)Error|^Proxy/, 'ECONNRESET'],
]
const damaged = 'The compressed response is damaged and cannot be decompressed.'

/** Converts an error of impit to an `EngineError`. Its message is one of ours. Returns an `EngineError` unchanged. */
export function impitError(error: unknown, host: string): EngineError {
  if (EngineError.is(error)) return error
  const text = `${error instanceof Error ? error.name : ''} ${errorMessage(error)}`
  const [, kind = ''] = /\bInvalidCertificate\(\s*(\w+)/.exec(text) ?? []
  if (kind !== '') return wireErrorOf(codeOfCertificate(kind), host, error)
  const row = rows.find(([pattern]) => pattern.test(text))
  if (row) return wireErrorOf(row[1], host, error)
  const isBody = /^DecodingError\b|\bDecode\b/.test(text) && !text.includes('chunk size')
  return isBody ? badBody(damaged, error) : notHttp(error, host)
}

function codeOfCertificate(kind: string): string {
  const found = Object.entries(certificates).find(([name]) => kind.startsWith(name))
  return found?.[1] ?? 'CERT_INVALID'
}
