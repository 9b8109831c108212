// The runtime of Cloudflare Workers, on this machine: one worker that may reach loopback.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-01",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["local", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`

/** Starts a bundle, `worker.js`, and gives its answer to a request with this query. */
export async function askWorker(workerd: string, bundle: string, query: string): Promise<string> {
  const folder = dirname(bundle)
  writeFileSync(join(folder, 'config.capnp'), config)
  const child = spawn(workerd, ['serve', join(folder, 'config.capnp'), '--control-fd=1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const first = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)])
    if (!first) throw new Error('workerd ended before it listened.')
    const { port } = JSON.parse(String(first[0]).split('\n')[0] ?? '') as { readonly port: number }
    return await (await fetch(`http://127.0.0.1:${port}/?${query}`)).text()
  } finally {
    child.kill()
    await ended
  }
}
