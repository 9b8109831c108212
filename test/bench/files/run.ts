// Sends real and damaged files, and bombs, to a server by scrape, crawl and parse:
// node test/bench/files/run.ts [count] [folder] [--only <part of a name>] [--profile]
// Each is sent at the offsets 0 to 3 and in random chunks. The folder may hold files of your own. LibreOffice, where it is
// installed, adds PDF, RTF, XLS and DOC files; pandoc, Ghostscript and qpdf add files of known text. Ends with 1 if anything hung, exited or was wrong.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

import { bombs, casesOf, convertedFiles, corpusOf, knownFiles } from './corpus.ts'
import { examine } from './exam.ts'
import type { Steps } from './steps.ts'

const { values, positionals } = parseArgs({
  options: { profile: { type: 'boolean' }, only: { type: 'string' } },
  allowPositionals: true,
})
const [countText = '400', folder] = positionals
const count = Number(countText)
const converted = convertedFiles()
const known = knownFiles()
const corpus = corpusOf(folder, [...converted, ...known])
const all = [...casesOf(corpus, count), ...bombs(count + corpus.length)]
const cases = all.filter(({ name, attack = '' }) => `${name} ${attack}`.includes(values.only ?? ''))
const from =
  converted.length > 0
    ? `${converted.length} of them by LibreOffice, ${known.length} of known text`
    : 'LibreOffice is not installed'
console.log(
  `${count} files made from ${corpus.length} (${from}), and ${all.length - count} bombs; ${cases.length} are sent.`,
)

const server = fork(new URL('server.ts', import.meta.url), values.profile ? ['--profile'] : [])
let exits = 0
server.on('exit', () => (exits += 1))
const [{ url }] = (await once(server, 'message')) as [{ url: string }]

const began = performance.now()
const verdict = await examine(url, cases)
const seconds = Math.round((performance.now() - began) / 1_000)
const isAlive = await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) }).then(
  ({ ok }) => ok,
  () => false,
)

server.send('measure')
const [measured] = (await once(server, 'message')) as [Steps & { readonly megabytes: number }]

console.table(verdict.kinds)
const { responses, read, warned, refused, unchecked, hangs, wrong, incomplete, unequal, timed, leaks, serverErrors } =
  verdict
console.table({ responses, read, warned, refused, 'other text, format without checksum': unchecked })
console.table({
  hangs: hangs.length,
  exits,
  'dead at the end': isAlive ? 0 : 1,
  'wrong success': wrong.length,
  'text incomplete': incomplete.length,
  'depends on offset, chunks or way': unequal.length,
  'read as far as the time allowed': timed.length,
  'foreign words in an error': leaks.length,
  'server error for a file': serverErrors.length,
  'longest step of the main thread, ms of CPU': measured.cpu,
  '99.9 % of its steps, ms of CPU': measured.cpu999,
  'longest step, ms on the clock': measured.wall,
  '99.9 % of its steps, ms on the clock': measured.wall999,
  'longest time without a core, ms': measured.waited,
  'most memory, MB': measured.megabytes,
})
for (const lines of [hangs, wrong, incomplete, unequal, timed, leaks, serverErrors])
  for (const line of lines.slice(0, 20)) console.log(line)
for (const step of measured.longest) console.log(step)
console.log(`${seconds} s`)
if (exits + hangs.length + wrong.length + incomplete.length + leaks.length + serverErrors.length > 0 || !isAlive)
  process.exitCode = 1
server.removeAllListeners('exit')
if (server.connected) server.disconnect()
