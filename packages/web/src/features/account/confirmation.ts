/** Whether the phrase was typed; capital letters and spaces around it do not matter. */
export function isConfirmed(typed: string, phrase: string): boolean {
  return typed.trim().toLowerCase() === phrase.toLowerCase()
}
