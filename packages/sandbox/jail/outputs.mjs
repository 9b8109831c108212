// Each run writes into two pipes of its own, so that what an earlier run has left behind cannot write into the output of a
// later one.
import { spawn } from 'node:child_process'
import { constants, existsSync, openSync, readSync } from 'node:fs'
import net from 'node:net'

export const shell = ['/usr/bin/bash', '/bin/bash'].find((path) => existsSync(path))

/** Where the files of another process can be opened. Elsewhere the pipes of the interpreter are read. */
export const canMakeOutputs = process.platform === 'linux' && shell !== undefined

// Node makes no pipes without a name. A shell makes them, and holds them until both of their ends are open.
const maker = 'exec {a}<> <(:) {b}<> <(:) && echo $a $b && read -r _'

// Runs that are over may have left something that still writes; what it writes is read, as it would end otherwise.
const mostOld = 16
const old = []

/** `wrap` gives the command the rights of a language: its interpreter may open the pipes, that of another may not. */
export async function makeOutputs(wrap, take) {
  const [program, ...args] = wrap([shell, '--noprofile', '--norc', '-c', maker])
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => undefined)
  const release = () => child.stdin.destroy()
  const numbers = await new Promise((resolve) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('close', () => resolve(''))
    child.once('error', () => resolve(''))
  })
  const paths = numbers
    .trim()
    .split(' ')
    .map((number) => `/proc/${child.pid}/fd/${number}`)
  const ends = []
  try {
    for (const [index, name] of ['stdout', 'stderr'].entries())
      ends.push(readEnd(paths[index], (chunk) => take(name, chunk)))
  } catch {
    release()
    for (const { socket } of ends) socket.destroy()
    return undefined
  }
  return {
    paths,
    release,
    end: () => {
      release()
      for (const { drain, socket } of ends) {
        drain()
        old.push(socket)
        socket.once('close', () => old.splice(old.indexOf(socket), 1))
      }
      while (old.length > mostOld) old.shift().destroy()
    },
  }
}

const mostLeft = 1_048_576

function readEnd(path, take) {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const socket = new net.Socket({ fd, readable: true, writable: false })
  socket.on('data', take)
  socket.on('error', () => undefined)
  /** What was written before the end of a run may still be in its pipe. */
  const drain = () => {
    const chunk = Buffer.alloc(65_536)
    for (let left = mostLeft; left > 0 && !socket.destroyed;) {
      const size = readNow(fd, chunk)
      if (size === 0) return
      left -= size
      take(Buffer.from(chunk.subarray(0, size)))
    }
  }
  return { socket, drain }
}

function readNow(fd, chunk) {
  try {
    return readSync(fd, chunk)
  } catch {
    return 0
  }
}
