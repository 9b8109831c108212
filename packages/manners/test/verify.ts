// An independent verifier of HTTP Message Signatures, with the rules of Web Bot Auth.
import type { webcrypto as nodeCrypto } from 'node:crypto'

import { component, verifySignature, webcrypto, type MessageDescriptor } from 'http-message-sig'

export interface PublicKey {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly kid?: string
}

const importKey = ({ kty, crv, x }: PublicKey): Promise<nodeCrypto.CryptoKey> =>
  crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', true, ['verify'])

const required = ['created', 'expires', 'keyid', 'nonce', 'tag']

/** Verifies the signature of a request as a site does. Resolves to its parameters, or rejects. */
export async function verifyRequest(
  url: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  key: PublicKey,
): Promise<Readonly<Record<string, unknown>>> {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: String(value) }],
  )
  const message: MessageDescriptor = { kind: 'request', method: 'GET', targetUri: url, fields }
  return verify(message, ['@authority', component('signature-agent', { key: 'sig1' })], key, 'web-bot-auth', 'sig1')
}

/** Verifies a signature of the directory, as a response to a request for `url`. */
export async function verifyDirectory(
  url: string,
  response: Response,
  key: PublicKey,
  label: string,
): Promise<Readonly<Record<string, unknown>>> {
  const fields = [...response.headers].map(([name, value]) => ({ name, value }))
  const request = { kind: 'request', method: 'GET', targetUri: url, fields: [] } as const
  const message: MessageDescriptor = { kind: 'response', status: response.status, fields, request }
  const tag = 'http-message-signatures-directory'
  return verify(message, [component('@authority', { req: true })], key, tag, label)
}

async function verify(
  message: MessageDescriptor,
  requiredComponents: Parameters<typeof verifySignature>[1]['policy']['requiredComponents'],
  key: PublicKey,
  tag: string,
  label: string,
): Promise<Readonly<Record<string, unknown>>> {
  const verifier = webcrypto.verifier(await importKey(key))
  const policy = { algorithms: ['ed25519'], requiredComponents, requiredParameters: required, clockSkew: 5 }
  const { parameters } = await verifySignature(message, { label, policy, resolveVerifier: () => verifier })
  if (parameters.tag !== tag) throw new Error(`The tag is ${String(parameters.tag)}.`)
  return parameters
}
