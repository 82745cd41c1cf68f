/** Parlor's logo: two people talking. */
export function Mark({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path
        d="M11 7h7a5 5 0 0 1 5 4.5h-7.5a5.5 5.5 0 0 0-5.5 5.5v1.5l-3.200 2.300a.5.5 0 0 1-.8-.4V12a5 5 0 0 1 5-5z"
        className="fill-on-accent/50"
      />
      <path
        d="M15.5 13.5h6a4.5 4.5 0 0 1 4.5 4.5v7.4a.5.5 0 0 1-.8.4L22.200 23.5h-6.700A3.5 3.5 0 0 1 12 20v-3a3.5 3.5 0 0 1 3.5-3.5z"
        className="fill-on-accent"
      />
    </svg>
  )
}
