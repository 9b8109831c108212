import type { NamedFile } from './check-names.ts'

/** Sockets that may delay small messages, and why it does not matter there. */
const mayDelay: Readonly<Record<string, string>> = {
  'packages/net/src/connect/proxy.ts': 'TLS over a socket that was opened without delay',
  'packages/redis/src/cluster.ts': 'the Redis client turns the delay off itself',
  'packages/monitors/src/notify/smtp.ts': 'mail is sent in the background, in a few messages',
  'packages/node/src/doctor.ts': 'a probe of one message',
  'packages/node/src/doctor-services.ts': 'TLS over a socket that was opened without delay',
  'packages/sandbox/src/probe.ts': 'a probe of one message',
  'packages/sandbox/jail/probe.mjs': 'a probe of one message',
}

const program = /^packages\/[\w-]+\/(?:src|jail)\/(?!.*(?:\.test\.|\/fixtures\/))(?!.*page-scripts)/
// A server of `node:http` and its agents send at once by default; a server of `node:net` and a client socket do not.
const opens = /\bnet\.(?:createServer|connect|createConnection)\(|\btls\.connect\(/g
const imports = /import\s*\{[^}]*\b(createServer|connect|createConnection)\b[^}]*\}\s*from 'node:(?:net|tls)'/g

/**
 * TCP sockets that wait for more to send (Nagle): with the other side's delayed acknowledgement each small message then
 * takes 40 ms. Returns a sentence for each.
 */
export function findDelays(files: readonly NamedFile[]): string[] {
  return files
    .filter(({ file }) => program.test(file) && !(file in mayDelay) && !file.startsWith('packages/testing/'))
    .flatMap(({ file, text }) => [
      ...[...text.matchAll(imports)].map(
        ({ 1: name }) => `${file} imports ${name} by name: write net.${name}, so that its noDelay is checked.`,
      ),
      ...[...text.matchAll(opens)]
        .filter(({ index, 0: call }) => !/noDelay: true/.test(argumentsAt(text, index + call.length)))
        .map(
          ({ index, 0: call }) =>
            `${file}:${text.slice(0, index).split('\n').length} calls ${call}…) without noDelay: true: small messages would take 40 ms.`,
        ),
    ])
}

/** Returns the source up to the parenthesis that closes the call, or to the first function in it. */
function argumentsAt(text: string, start: number): string {
  let depth = 1
  let end = start
  while (end < text.length && depth > 0 && text.slice(end, end + 2) !== '=>') {
    if (text[end] === '(') depth += 1
    if (text[end] === ')') depth -= 1
    end += 1
  }
  return text.slice(start, end)
}
