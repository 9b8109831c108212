/** How long what was closed may take to be gone, in milliseconds. */
const timeout = 20_000

// The streams of the process are opened when they are first used, and stay: so that is now.
void [process.stdout, process.stderr]

/** What keeps this process from ending: in the words of Node, each as often as there is one. */
export const openNow = (): readonly string[] => process.getActiveResourcesInfo()

/** What has come since then and would keep a program of its own from ending; waits for what is about to be gone. */
export async function leftOpen(before: readonly string[]): Promise<readonly string[]> {
  for (const until = Date.now() + timeout; ;) {
    const rest = [...openNow()]
    for (const one of before) if (rest.includes(one)) rest.splice(rest.indexOf(one), 1)
    if (rest.length === 0 || Date.now() > until) return rest
    // Nothing tells when a handle is gone, and a wait is one itself: so it is one that is not counted.
    await new Promise((resolve) => setTimeout(resolve, 5).unref())
  }
}
