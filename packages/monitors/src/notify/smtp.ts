// Sends mails over SMTP, with TLS if the server supports it. The operator configures the host, so it may be on a private
// network; the guard applies only to URLs of callers.
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { hostname } from 'node:os'

import { EngineError } from '@harvestman/ports'

/** SMTP server and sender of mails. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Uses TLS from the start, as on port 465. Otherwise STARTTLS is used if the server offers it. */
  readonly secure: boolean
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly from: string
}

/** A mail to one recipient. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same on each retry, so that receivers can detect duplicates. */
  readonly id: string
  readonly date: Date
  /** URL that unsubscribes the recipient: a page for people, and a single request for mail clients (RFC 8058). */
  readonly unsubscribe?: string | undefined
}

/** Sends a mail. Rejects if the server does not accept it. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<void>

const timeout = 30_000
const maxReplyLength = 65_536

/**
 * Returns a function that sends mails. Passwords are never sent without TLS. It rejects with `connection_failed` if the server
 * refuses the mail or cannot be reached, with a `TimeoutError` after 30 seconds, or with the reason of the signal.
 */
export function smtpMail(server: SmtpServer): SendMail {
  return async (mail, signal) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    const talk = await open(server, until)
    try {
      await handOver(await greeted(talk, server), server, mail)
    } finally {
      talk.end()
    }
  }
}

async function greeted(talk: Talk, server: SmtpServer): Promise<Talk> {
  await talk.expect(220)
  const offers = await talk.say(`EHLO ${hostname()}`, 250)
  if (server.secure || !/^250[- ]STARTTLS\b/im.test(offers)) return talk
  await talk.say('STARTTLS', 220)
  await talk.encrypt(server.host)
  await talk.say(`EHLO ${hostname()}`, 250)
  return talk
}

async function handOver(talk: Talk, { user, password = '', from }: SmtpServer, mail: Mail): Promise<void> {
  if (user !== undefined) {
    if (!talk.isEncrypted()) throw refused('The mail server offers no TLS, so the password is not sent.')
    await talk.say(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString('base64')}`, 235)
  }
  await talk.say(`MAIL FROM:<${addressIn(from)}>`, 250)
  await talk.say(`RCPT TO:<${addressIn(mail.to)}>`, 250)
  await talk.say('DATA', 354)
  await talk.say(`${written(mail, from)}\r\n.`, 250)
  await talk.say('QUIT', 221).catch(() => undefined)
}

/** The body is base64, so it has no long lines and no line with a single dot. */
function written({ to, subject, text, id, date, unsubscribe }: Mail, from: string): string {
  const body =
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  return [
    `From: ${plain(from)}`,
    `To: ${plain(to)}`,
    `Subject: ${encoded(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@harvestman>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    'Auto-Submitted: auto-generated',
    ...(unsubscribe === undefined
      ? []
      : [`List-Unsubscribe: <${plain(unsubscribe)}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click']),
    '',
    ...body,
  ].join('\r\n')
}

/** Encodes a header value as RFC 2047 encoded words of at most 75 characters. */
function encoded(text: string): string {
  const words: string[] = []
  let word = ''
  for (const letter of text.slice(0, 200)) {
    if (Buffer.byteLength(word + letter) > 42) {
      words.push(word)
      word = ''
    }
    word += letter
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ')
}

function plain(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '')
}

/** Extracts the e-mail address of `Name <a@example.com>`, without characters that could inject SMTP commands. */
function addressIn(text: string): string {
  return plain(/<([^<>]+)>/.exec(text)?.[1] ?? text).replaceAll(/[\s<>]/g, '')
}

function refused(message: string): EngineError {
  return new EngineError('connection_failed', message)
}

interface Talk {
  expect(code: number): Promise<string>
  say(line: string, code: number): Promise<string>
  encrypt(host: string): Promise<void>
  isEncrypted(): boolean
  end(): void
}

async function open({ host, port, secure }: SmtpServer, signal: AbortSignal): Promise<Talk> {
  let socket = secure
    ? await ready(connectTls({ host, port, ...named(host) }), 'secureConnect', signal)
    : await ready(connectPlain({ host, port }), 'connect', signal)
  let lines = repliesOf(socket, signal)
  let isEncrypted = secure
  const expect = async (code: number): Promise<string> => {
    const reply = await lines.next()
    if (reply.startsWith(String(code))) return reply
    throw refused(`The mail server responded: ${plain(reply).slice(0, 200)}`)
  }
  return {
    expect,
    say: async (line, code) => {
      socket.write(`${line}\r\n`)
      return expect(code)
    },
    encrypt: async (name) => {
      lines.stop()
      socket = await ready(connectTls({ socket, ...named(name) }), 'secureConnect', signal)
      lines = repliesOf(socket, signal)
      isEncrypted = true
    },
    isEncrypted: () => isEncrypted,
    end: () => socket.destroy(),
  }
}

function codeOf(cause: Error): string {
  return 'code' in cause ? String(cause.code) : 'no reason given'
}

function named(host: string): { readonly servername?: string } {
  return /^[\d.:[\]]+$/.test(host) ? {} : { servername: host }
}

function ready<Made extends Socket>(
  socket: Made,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Made> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      socket.destroy()
      reject(signal.reason)
    }
    // An aborted signal emits no event any more.
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', (cause) =>
      reject(
        new EngineError('connection_failed', `The mail server could not be reached (${codeOf(cause)}).`, { cause }),
      ),
    )
    socket.once(event, () => {
      signal.removeEventListener('abort', stop)
      resolve(socket)
    })
  })
}

/** Reads server replies. A reply ends with a line that has a space after its code. */
function repliesOf(socket: Socket, signal: AbortSignal) {
  let text = ''
  let fault: unknown
  let wake: (() => void) | undefined
  const hear = (piece: Buffer): void => {
    text += piece.toString('latin1')
    if (text.length > maxReplyLength) fault = refused('The response of the mail server is too long.')
    wake?.()
  }
  const fail = (error: unknown): void => {
    fault ??= error
    wake?.()
  }
  const gone = (): void => fail(refused('The mail server closed the connection.'))
  const stopped = (): void => fail(signal.reason)
  socket.on('data', hear).on('error', fail).on('close', gone)
  if (signal.aborted) stopped()
  signal.addEventListener('abort', stopped, { once: true })
  return {
    next: async (): Promise<string> => {
      for (;;) {
        const whole = /^(?:\d{3}-.*\r?\n)*\d{3}(?: .*)?\r?\n/.exec(text)?.[0]
        if (whole !== undefined) {
          text = text.slice(whole.length)
          return whole
        }
        if (fault !== undefined) throw fault
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    stop: (): void => {
      socket.off('data', hear).off('close', gone)
      signal.removeEventListener('abort', stopped)
    },
  }
}
