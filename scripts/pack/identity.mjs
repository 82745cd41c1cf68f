/** Under which names the packages are published. To publish under other names, change these two, and nothing else. */

/** The scope of the packages. The command is the package `parlor`, and `npm create parlor` needs `create-parlor`. */
export const SCOPE = "@parlor"

/** Where the sources are; it becomes `repository` in every package. */
export const REPOSITORY = "git+https://git.example.com/parlor/parlor.git"
