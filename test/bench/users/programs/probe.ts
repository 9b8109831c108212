// Imported before a measured program. Writes its CPU time and peak memory as a line of JSON to standard error, after `usage `:
// when the process exits, and on SIGUSR2.
import { readFileSync, writeSync } from 'node:fs'

function peakMegabytes(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / 1e6
}

function report(): void {
  const { user, system } = process.cpuUsage()
  const main = process.threadCpuUsage()
  const usage = {
    cpu: (user + system) / 1000,
    main: (main.user + main.system) / 1000,
    peak: peakMegabytes(),
  }
  writeSync(2, `usage ${JSON.stringify(usage)}\n`)
}

process.once('exit', report)
process.on('SIGUSR2', report)
