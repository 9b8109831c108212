// Mails to a scripted server on loopback: when TLS begins, and what is never sent without it.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authority, goodCertificate, key, otherNameCertificate } from '../../../net/test/certificates.ts'
import { smtpMail, type SmtpServer } from './smtp.ts'

const usual = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...usual, authority]))
afterAll(() => setDefaultCACertificates(usual))

interface MailServerOptions {
  /** TLS from the first byte, after STARTTLS, or not at all. */
  readonly tls: 'always' | 'offered' | 'none'
  readonly cert?: string
  /** What an attacker on the way adds behind the answer to STARTTLS. */
  readonly injected?: string
}

const replies: Readonly<Record<string, string>> = { AUTH: '235 ok', DATA: '354 go on', QUIT: '221 bye' }

/** A server that takes each mail, and what it was told, with whether that was encrypted. */
async function mailServer({ tls, cert = goodCertificate, injected = '' }: MailServerOptions) {
  const told: string[] = []
  const talk = (socket: Socket, isEncrypted: boolean): void => {
    let isMail = false
    socket.on('error', () => undefined)
    socket.on('data', (piece: Buffer) => {
      for (const line of piece.toString().split('\r\n').filter(Boolean)) {
        if (isMail && line !== '.') continue
        const [verb = ''] = isMail ? ['MAIL'] : line.split(' ')
        isMail = verb === 'DATA'
        told.push(`${isEncrypted ? 'tls' : 'plain'} ${line}`)
        if (verb === 'EHLO' && tls === 'offered' && !isEncrypted) socket.write('250-here\r\n250 STARTTLS\r\n')
        else if (verb === 'STARTTLS') {
          socket.write(`220 go\r\n${injected}`)
          socket.removeAllListeners('data')
          encrypt(socket)
        } else socket.write(`${replies[verb] ?? '250 ok'}\r\n`)
      }
    })
  }
  const encrypt = (socket: Socket): TLSSocket => {
    const secret = new TLSSocket(socket, { isServer: true, key, cert })
    talk(secret, true)
    return secret
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (tls === 'always') encrypt(socket).write('220 hello\r\n')
    else {
      talk(socket, false)
      socket.write('220 hello\r\n')
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const send = async (more: Partial<SmtpServer> = {}): Promise<void> => {
    const given = { host: 'localhost', port, secure: tls === 'always', from: 'Harvestman <us@site.example>', ...more }
    const mail = { to: 'you@site.example', subject: 'News', text: 'Something changed.', id: '1', date: new Date(0) }
    await smtpMail(given)(mail, AbortSignal.timeout(60_000))
  }
  return { told, send, [Symbol.asyncDispose]: async () => void server.close() }
}

const secret = { user: 'us', password: 'secret' }
const words = `AUTH PLAIN ${Buffer.from('\0us\0secret').toString('base64')}`

describe('a mail', () => {
  test('goes over TLS where the server offers it, and the password with it', async () => {
    await using server = await mailServer({ tls: 'offered' })
    await server.send(secret)
    expect(server.told.filter((line) => line.startsWith('plain')).map((line) => line.split(' ')[1])).toEqual([
      'EHLO',
      'STARTTLS',
    ])
    expect(server.told).toContain(`tls ${words}`)
    expect(server.told).toContain('tls RCPT TO:<you@site.example>')
    expect(server.told.at(-1)).toBe('tls QUIT')
  })

  test('goes over TLS from the first byte where that is set', async () => {
    await using server = await mailServer({ tls: 'always' })
    await server.send(secret)
    expect(server.told.every((line) => line.startsWith('tls'))).toBe(true)
    expect(server.told).toContain(`tls ${words}`)
  })

  test('goes without TLS to a server that has none, but a password does not', async () => {
    await using server = await mailServer({ tls: 'none' })
    await server.send()
    expect(server.told).toContain('plain RCPT TO:<you@site.example>')
    await expect(server.send(secret)).rejects.toMatchObject({ code: 'connection_failed' })
    expect(server.told.join()).not.toContain('AUTH')
  })

  test.each(['offered', 'always'] as const)(
    'is not given to a server with the certificate of another: %s',
    async (tls) => {
      await using server = await mailServer({ tls, cert: otherNameCertificate })
      await expect(server.send(secret)).rejects.toMatchObject({ code: 'connection_failed' })
      expect(server.told.join()).not.toMatch(/AUTH|RCPT/)
    },
  )

  test('takes nothing for an answer that was said before TLS began', async () => {
    await using server = await mailServer({ tls: 'offered', injected: '250 ok\r\n535 no\r\n' })
    await server.send(secret)
    expect(server.told.at(-1)).toBe('tls QUIT')
  })

  test('whose sending was cancelled before it began is not sent, and its server is not waited for', async () => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as AddressInfo
    const send = smtpMail({ host: '127.0.0.1', port, secure: false, from: 'me@site.example' })
    const mail = { to: 'you@site.example', subject: 'News', text: 'News.', id: 'one', date: new Date(0) }
    const reason = new Error('The engine was closed.')
    await expect(send(mail, AbortSignal.abort(reason))).rejects.toBe(reason)
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
})
