export default function Page() {
  return (
    <main>
      <h1>{'{{name}}'}</h1>
      <p>
        The web API is under <code>/web</code>.
      </p>
    </main>
  )
}
