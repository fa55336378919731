/** Whose work it is in every instance; image builds make this user, with its home in /home. */
export const agentUser = { name: "agentuser", uid: 1000, gid: 1000, home: "/home/agentuser" } as const;
