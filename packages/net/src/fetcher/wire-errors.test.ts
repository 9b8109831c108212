import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { wireError } from './wire-errors.ts'

const foreign = (code: string): Error => Object.assign(new Error(`connect ${code} 10.0.0.7:80`), { code })

describe('a foreign error', () => {
  test.each([
    ['ENOTFOUND', 'dns_failed'],
    ['EAI_AGAIN', 'dns_failed'],
    ['ESERVFAIL', 'dns_failed'],
    ['ECONNREFUSED', 'connection_failed'],
    ['ECONNRESET', 'connection_failed'],
    ['EPIPE', 'connection_failed'],
    ['EHOSTUNREACH', 'connection_failed'],
    ['ENETUNREACH', 'connection_failed'],
    ['UND_ERR_SOCKET', 'connection_failed'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'response_too_large'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'bad_response'],
    ['UND_ERR_INVALID_ARG', 'invalid_request'],
    ['CERT_HAS_EXPIRED', 'tls_failed'],
    ['CERT_NOT_YET_VALID', 'tls_failed'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_failed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
    ['CERT_SIGNATURE_FAILURE', 'tls_failed'],
    ['EPROTO', 'connection_failed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'connection_failed'],
    ['ESOMETHINGELSE', 'internal'],
  ])('%s is %s, in our words, with the error beside it', (code, ours) => {
    const cause = foreign(code)
    const error = wireError(cause, 'example.com')
    expect(error.code).toBe(ours)
    expect(error.cause).toBe(cause)
    expect(error.details).toEqual({ host: 'example.com' })
    expect(error.message).not.toMatch(/10\.0\.0\.7|connect E/)
    // What happened, then what to do.
    expect(error.message.split('. ').length).toBeGreaterThanOrEqual(2)
  })

  test('without a code is a fault of ours', () => {
    expect(wireError('text', 'example.com').code).toBe('internal')
  })

  test('that is ours already passes', () => {
    const error = new EngineError('url_blocked', 'No.')
    expect(wireError(error, 'example.com')).toBe(error)
  })
})
