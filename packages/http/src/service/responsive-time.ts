const ticks = 12

/**
 * Returns whether `work` ends before the event loop was responsive for `ms` milliseconds. Rejects if `work` does before that;
 * later it is neither stopped nor observed. While the loop is blocked no result can arrive, so a late tick counts only as a
 * twelfth of `ms`: a busy CPU is not a slow store.
 */
export async function withinResponsiveTime(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const isTooLate = new Promise<boolean>((resolve) => {
    const wait = (left: number): void => {
      timer = setTimeout(() => (left > 1 ? wait(left - 1) : resolve(false)), ms / ticks)
    }
    wait(ticks)
  })
  try {
    return await Promise.race([isTooLate, work.then(() => true)])
  } finally {
    clearTimeout(timer)
  }
}
