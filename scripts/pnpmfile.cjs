// The packages that carry a Node binary give `os` and `cpu` as bare strings. pnpm reads only lists, and would otherwise
// put the Windows binary on Linux.
module.exports = {
  hooks: {
    readPackage(pkg) {
      if (!/^node-(linux|darwin|win)-/.test(pkg.name ?? '')) return pkg
      for (const key of ['os', 'cpu']) if (typeof pkg[key] === 'string') pkg[key] = [pkg[key]]
      if (pkg.name.startsWith('node-linux-')) pkg.libc = ['glibc']
      return pkg
    },
    // Private packages are development dependencies, and cannot be installed.
    beforePacking(pkg) {
      return { ...pkg, devDependencies: undefined }
    },
  },
}
